import { type Exchange, RpcError, type RpcNotification, type RpcRequest } from "@parlance/jsonrpc";
import { excerpt } from "@parlance/jsonrpc/codec";
import type { HttpRequest } from "../http.js";
import { headerMismatch, readHeader } from "./header.js";
import { namedBy } from "./named-by.js";
import { versionOf } from "./version.js";

/**
 * Holds the headers of a request to its body.
 * @throws RpcError −32020
 * @see MCP 2026-07-28, basic/transports/streamable-http, server validation
 */
export function checkRequest(
  request: HttpRequest,
  { method, params }: RpcRequest,
  about: Parameters<NonNullable<Exchange["checkHeaders"]>>[0],
): void {
  const check = (name: string, said: unknown): void => agree(name, readHeader(request, name), said);
  if (about === "version") {
    check("MCP-Protocol-Version", versionOf(params));
    return;
  }
  check("Mcp-Method", method);
  const source = namedBy.get(method);
  if (source !== undefined) check("Mcp-Name", params?.[source]);
}

/**
 * Headers are no duty of a notification, but those that are there must agree with the body.
 * @throws RpcError −32020
 */
export function checkNotification(request: HttpRequest, { method, params }: RpcNotification): void {
  const body = { "Mcp-Method": method, "MCP-Protocol-Version": versionOf(params) };
  for (const [name, said] of Object.entries(body)) {
    const got = readHeader(request, name);
    if (got !== undefined && said !== undefined) agree(name, got, said);
  }
}

function agree(name: string, got: string | undefined, said: unknown): void {
  if (got === said) return;
  const header = got === undefined ? "is missing" : `is ${excerpt(got)}`;
  const body = said === undefined ? "does not name anything" : `says ${excerpt(said)}`;
  throw new RpcError(headerMismatch, `${name} ${header}, the body ${body}`, { early: true });
}
