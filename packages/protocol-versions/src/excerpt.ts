/** How much of a value a message repeats, in characters of its JSON. */
const longestExcerpt = 60;

/** A value as JSON, cut short: a message stays one short line, whatever the other side sent. */
export function excerpt(value: unknown): string {
  const text = textOf(value);
  return text.length > longestExcerpt ? `${text.slice(0, longestExcerpt)}…` : text;
}

/** JSON is read to any depth, and written only as deep as the stack reaches. */
function textOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "nothing";
  } catch {
    return "what cannot be written";
  }
}
