/** How much of a value is repeated, in characters of its JSON. */
const longestExcerpt = 60;

/**
 * A value as JSON, cut short: for messages, which stay one short line whatever the other side sent.
 * @stable
 */
export function excerpt(value: unknown): string {
  let text = "what cannot be written";
  try {
    text = String(JSON.stringify(value));
  } catch {
    // JSON is read to any depth, and written only as deep as the stack reaches
  }
  return text.length > longestExcerpt ? `${text.slice(0, longestExcerpt)}…` : text;
}
