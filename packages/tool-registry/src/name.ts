import { excerpt } from "@parlance/jsonrpc/codec";

/**
 * Says what clients may not like about a tool's name; nothing when it is a good one.
 * @see MCP 2026-07-28, server/tools, tool names
 * @stable
 */
export function nameProblem(name: string): string | undefined {
  if (/^[\w.-]{1,128}$/.test(name)) return undefined;
  return `a name should be 1 to 128 characters out of A-Z a-z 0-9 _ - ., not ${excerpt(name)}`;
}
