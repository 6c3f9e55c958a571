/** How much of a value a message repeats, in characters of its JSON. */
const longestExcerpt = 60;

/** A value as JSON, cut short: a message stays one short line, whatever the other side sent. */
export function excerpt(value: unknown): string {
  const text = String(JSON.stringify(value));
  return text.length > longestExcerpt ? `${text.slice(0, longestExcerpt)}…` : text;
}
