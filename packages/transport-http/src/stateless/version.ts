import type { JsonObject } from "@parlance/jsonrpc";

/** The `_meta` key that makes a message one of this era. */
const versionKey = "io.modelcontextprotocol/protocolVersion";

/** The version that a message is in; whatever its type, since one that is no string is this era's to refuse. */
export function versionOf(params: JsonObject | undefined): unknown {
  const meta = params?.["_meta"];
  return typeof meta === "object" && meta !== null && Object.hasOwn(meta, versionKey)
    ? (Reflect.get(meta, versionKey) ?? null)
    : undefined;
}
