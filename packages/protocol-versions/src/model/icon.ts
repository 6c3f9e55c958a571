/**
 * An image that stands for an implementation, tool, resource or prompt (2025-11-25 on).
 * @see MCP 2025-11-25, schema, Icon
 * @stable
 */
export type Icon = {
  /** An `https:` or `data:` URI. */
  readonly src: string;
  readonly mimeType?: string | undefined;
  /** Sizes such as `"48x48"`, or `"any"`. */
  readonly sizes?: readonly string[] | undefined;
  readonly theme?: "light" | "dark" | undefined;
};
