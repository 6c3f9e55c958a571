/**
 * How long the text of a result may be, in UTF-16 units.
 * @stable
 */
export interface TruncateOptions {
  /** Default 4,000. */
  readonly maxChars?: number | undefined;
  /** Other limits for single tools. Default: 32,000 for `file_read`, `read_file` and `read_text_file`. */
  readonly tools?: Readonly<Record<string, number>> | undefined;
}

/** Files are read to be seen. */
const fileChars = 32_000;
const defaults = {
  maxChars: 4_000,
  tools: { file_read: fileChars, read_file: fileChars, read_text_file: fileChars },
};

/** What is left of a text, and how many characters are not. */
export interface Truncated {
  readonly text: string;
  readonly omitted: number;
}

/** Cuts a text to what its tool may say, with a mark where it was cut. */
export function truncate(text: string, tool: string, options: TruncateOptions): Truncated {
  const { maxChars = defaults.maxChars, tools = defaults.tools } = options;
  const limit = (Object.hasOwn(tools, tool) ? new Map(Object.entries(tools)).get(tool) : undefined) ?? maxChars;
  if (text.length <= limit) return { text, omitted: 0 };
  // half of a surrogate pair is no character
  const end = /[\uD800-\uDBFF]/.test(text.charAt(limit - 1)) ? limit - 1 : limit;
  const omitted = text.length - end;
  return {
    text: `${text.slice(0, end)}\n[... truncated, ${omitted} chars omitted. Ask for less to see the rest.]`,
    omitted,
  };
}
