import { type JsonObject, type Result, type RpcRequest, serialized } from "@parlance/jsonrpc";
import type { InputRequired, Outcome } from "../feature.js";
import { memo } from "../memo.js";
import { refusalError } from "../refusal.js";
import { refusalCodes } from "./refusal.js";
import type { SpokenRevision } from "./state.js";

/**
 * Shapes what a feature answered for a session: bare, and without what its revision does not have.
 * @throws RpcError for a refusal
 */
export function shapeOutcome(
  outcome: Exclude<Outcome, InputRequired>,
  { method, params }: RpcRequest,
  { downgrade, texts }: SpokenRevision,
): Result {
  if (outcome.type === "refused") {
    throw refusalError(outcome, params, refusalCodes(method));
  }
  const { result } = outcome;
  const bare = (): JsonObject => downgrade("Result", downgrade(method, result));
  return outcome.type === "complete" && outcome.stable === true
    ? memo(texts, result, () => serialized(JSON.stringify(bare())))
    : bare();
}
