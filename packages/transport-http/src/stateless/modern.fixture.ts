import type { JsonObject } from "@parlance/jsonrpc";
import type { HttpHandler } from "../http.js";
import { type PostOptions, raw } from "../wire.fixture.js";

export const modernVersion = "2026-07-28";

export const envelope: JsonObject = {
  "io.modelcontextprotocol/protocolVersion": modernVersion,
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** A request of the stateless era with all its headers. */
export function modern(
  handler: HttpHandler,
  method: string,
  params: JsonObject = {},
  options: PostOptions & { readonly id?: string | number } = {},
): Promise<Response> {
  const named = params["name"] ?? params["uri"];
  const headers = {
    "mcp-protocol-version": modernVersion,
    "mcp-method": method,
    "mcp-name": typeof named === "string" ? named : undefined,
    ...options.headers,
  };
  const body = { jsonrpc: "2.0", id: options.id ?? 1, method, params: { _meta: envelope, ...params } };
  return raw(handler, JSON.stringify(body), { ...options, headers });
}
