import type { RpcNotification } from "@parlance/jsonrpc";
import type { Change } from "./change.js";

const changed = /^notifications\/(tools|prompts|resources)\/list_changed$/;

/**
 * The change that a notification tells of; `undefined`: none of those that every server may tell.
 * @experimental
 */
export function changeIn({ method, params }: RpcNotification): Change | undefined {
  const type = changed.exec(method)?.[1];
  if (type !== undefined) return { type: type as "tools" | "prompts" | "resources" };
  const uri = params?.["uri"];
  return method === "notifications/resources/updated" && typeof uri === "string"
    ? { type: "resource", uri }
    : undefined;
}
