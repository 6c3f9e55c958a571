import type { Attributes } from "@opentelemetry/api";
import type { JsonObject } from "@parlance/jsonrpc";

const versionKey = "io.modelcontextprotocol/protocolVersion";

/** The envelope says which revision a request is under, where requests have one. */
export function versionIn(params: JsonObject): Attributes {
  const version: unknown = Reflect.get(Object(params["_meta"]), versionKey);
  return typeof version === "string" ? { "mcp.protocol.version": version } : {};
}
