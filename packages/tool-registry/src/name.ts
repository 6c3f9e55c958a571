const longest = 128;
const stranger = /[^A-Za-z0-9_.-]/u;

/**
 * Says what clients may not like about a tool's name; nothing when it is a good one.
 * @see MCP 2026-07-28, server/tools, tool names
 * @stable
 */
export function nameProblem(name: string): string | undefined {
  if (name === "") return "it is empty, 1 to 128 characters are asked for";
  if (name.length > longest) return `it has ${name.length} characters, at most ${longest} are asked for`;
  const found = stranger.exec(name)?.[0];
  return found === undefined ? undefined : `it contains ${JSON.stringify(found)}, only A-Z a-z 0-9 _ - . are asked for`;
}
