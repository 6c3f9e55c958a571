/**
 * Tells whether a string has a format.
 * @stable
 */
export type Format = (text: string) => boolean;

/**
 * Formats by their name in the schema. Those given to `compile` are asserted; all others stay annotations.
 * @stable
 */
export type Formats = Readonly<Record<string, Format>>;
