import { LocalError } from "@parlance/jsonrpc";
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

/** Whoever has a name keeps it. */
export function taken(name: string, owner?: string | undefined): LocalError {
  const whose = owner === undefined ? "" : ` by "${owner}"`;
  const message = `the tool name "${name}" is taken${whose}; remove that tool or use another name`;
  return new LocalError("INVALID_ARGUMENT", message, { details: { taken: name } });
}
