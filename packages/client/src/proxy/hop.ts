import { type JsonObject, RpcError, rpcCodes } from "@parlance/jsonrpc";
import { type CacheHint, isJsonObject, type Outcome, type Refused } from "@parlance/protocol-versions";
import { isResourceNotFound } from "../not-found.js";

/** What is said from one neighbor to the next, and not from end to end. */
const hopKey =
  /^io\.modelcontextprotocol\/(?:protocolVersion|client(?:Info|Capabilities)|logLevel|serverInfo|subscriptionId)$/;

/** `_meta` as it goes on: whatever is not the hop's, unknown keys too. */
function endToEnd(meta: unknown): JsonObject | undefined {
  if (!isJsonObject(meta)) return undefined;
  const kept = Object.entries(meta).filter(([key]) => key !== "progressToken" && !hopKey.test(key));
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}

/** Parameters as they go on. */
export function passedParams(params: JsonObject): JsonObject {
  const { _meta, inputResponses: _answers, requestState: _state, ...own } = params;
  const meta = endToEnd(_meta);
  return meta === undefined ? own : { ...own, _meta: meta };
}

/** The parameters of a question as they go on. Only some sessions have an id for a page: where one is needed it is made. */
export function passedQuestion(params: JsonObject): JsonObject {
  const { elicitationId: _id, task: _task, ...own } = passedParams(params);
  return own;
}

/** A result as it goes on. How long it may be kept becomes a hint: how that is told is each hop's. */
export function passedResult(result: JsonObject): Outcome {
  const { _meta, resultType: _type, ttlMs, cacheScope, ...own } = result;
  const meta = endToEnd(_meta);
  const cache: CacheHint | undefined =
    typeof ttlMs === "number" ? { ttlMs, scope: cacheScope === "public" ? "public" : "private" } : undefined;
  return { type: "complete", result: meta === undefined ? own : { ...own, _meta: meta }, cache };
}

/** The refusal in an error, where each era has its own code for it; `undefined`: it is told as it came. */
export function refusalIn(method: string, error: unknown): Refused | undefined {
  if (!(error instanceof RpcError)) return undefined;
  const { code, message, data } = error;
  const refused = (reason: Refused["reason"]): Refused => ({ type: "refused", reason, message, data });
  if (method === "resources/read" && isResourceNotFound(error)) return refused("not_found");
  if (isJsonObject(data) && isJsonObject(data["requiredCapabilities"])) return refused("needs_capability");
  return code === rpcCodes.invalidParams ? refused("invalid_params") : undefined;
}
