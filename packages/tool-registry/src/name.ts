/**
 * Says what clients may not like about a tool's name; nothing when it is a good one.
 * @see MCP 2026-07-28, server/tools, tool names
 * @stable
 */
export function nameProblem(name: string): string | undefined {
  if (name === "" || name.length > 128) return `it has ${name.length} characters, and should have 1 to 128`;
  const stranger = /[^\w.-]/u.exec(name);
  return stranger ? `it has ${JSON.stringify(stranger[0])}, and should have only A-Z a-z 0-9 _ - .` : undefined;
}
