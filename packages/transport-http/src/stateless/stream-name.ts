import type { RpcNotification } from "@parlance/jsonrpc";

/** The `_meta` key that says which request for changes a notification answers. */
const subscriptionIdKey = "io.modelcontextprotocol/subscriptionId";

/**
 * The id of the request on whose stream a notification should be, where it names one.
 * @see MCP 2026-07-28, basic/patterns/subscriptions; basic/patterns/cancellation
 */
export function streamNamedBy({ method, params }: RpcNotification): unknown {
  if (method === "notifications/cancelled") return params?.["requestId"];
  const meta = params?.["_meta"];
  return typeof meta === "object" && meta !== null ? Reflect.get(meta, subscriptionIdKey) : undefined;
}
