import { RpcError, rpcCodes } from "@parlance/jsonrpc";
import type { Feature, Outcome, Refused } from "@parlance/protocol-versions";

const foreign: WeakSet<Outcome> = /* @__PURE__ */ new WeakSet();

/** The refusal of a set that what was named cannot be in: any other says more about it. */
export function refuseForeign(message: string, data?: unknown): Refused {
  const refused: Refused = { type: "refused", reason: "invalid_params", message, data };
  foreign.add(refused);
  return refused;
}

/** Asks one after another, until one knows what the call names. */
export function inTurn(features: readonly Feature[]): Feature {
  return async (call) => {
    let refused: Outcome | undefined;
    let missing: unknown;
    for (const feature of features) {
      try {
        const outcome = await feature(call);
        if (!isUnknown(outcome)) return outcome;
        if (refused === undefined || !foreign.has(outcome)) refused = outcome;
      } catch (error) {
        if (!isMissing(error)) throw error;
        missing = error;
      }
    }
    if (refused === undefined) throw missing;
    return refused;
  };
}

function isUnknown(outcome: Outcome): outcome is Refused {
  return outcome.type === "refused" && (outcome.reason === "invalid_params" || outcome.reason === "not_found");
}

/** Whether the method is not there, though it is there elsewhere. */
export function isMissing(error: unknown): boolean {
  return error instanceof RpcError && error.code === rpcCodes.methodNotFound;
}
