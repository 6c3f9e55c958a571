import { type Result, type RpcRequest, serialized } from "@parlance/jsonrpc";
import type { InputRequired, Outcome } from "../feature.js";
import { refusalError } from "./refusal.js";
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
  switch (outcome.type) {
    case "complete":
    case "extended": {
      const { result } = outcome;
      const isStable = outcome.type === "complete" && outcome.stable === true;
      const known = isStable ? texts.get(result) : undefined;
      if (known !== undefined) {
        return known;
      }
      const bare = downgrade("Result", downgrade(method, result));
      if (!isStable) {
        return bare;
      }
      const text = serialized(JSON.stringify(bare));
      texts.set(result, text);
      return text;
    }
    case "refused":
      throw refusalError(outcome, method, params);
    default:
      return outcome satisfies never;
  }
}
