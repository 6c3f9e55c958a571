import { type JsonObject, RpcError } from "@parlance/jsonrpc";
import { excerpt } from "@parlance/jsonrpc/codec";
import { headerMismatchCode } from "./envelope.js";

type ReadHeader = (name: string) => string | undefined;

/** The parameter that `Mcp-Name` repeats, by method. */
const namedBy: ReadonlyMap<string, string> = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
]);

/**
 * Holds the version header of an HTTP request to its body.
 * @throws RpcError −32020
 * @see MCP 2026-07-28, basic/transports/streamable-http, server validation
 */
export function checkVersionHeader(read: ReadHeader, version: string): void {
  agree(read, "MCP-Protocol-Version", version);
}

/**
 * Holds `Mcp-Method` and `Mcp-Name` of an HTTP request to its body.
 * @throws RpcError −32020
 */
export function checkRoutingHeaders(read: ReadHeader, method: string, params: JsonObject | undefined): void {
  agree(read, "Mcp-Method", method);
  const source = namedBy.get(method);
  if (source !== undefined) {
    const value = params?.[source];
    agree(read, "Mcp-Name", typeof value === "string" ? value : undefined);
  }
}

function agree(read: ReadHeader, name: string, expected: string | undefined): void {
  const got = read(name);
  if (got === expected) {
    return;
  }
  const says = got === undefined ? "is missing" : `is ${excerpt(got)}`;
  const body = expected === undefined ? "does not name anything" : `says ${excerpt(expected)}`;
  throw new RpcError(headerMismatchCode, `${name} ${says}, the body ${body}`, { early: true });
}
