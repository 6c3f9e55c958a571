import { type Result, RpcError, rpcCodes } from "@parlance/jsonrpc";
import { excerpt } from "@parlance/jsonrpc/codec";
import type { ServerFacts } from "./era.js";
import type { Call, Feature, Outcome } from "./feature.js";
import type { ProtocolRevision } from "./revision.js";

/**
 * The feature that answers a method under a revision.
 * @throws RpcError −32601 when none does
 */
export function featureFor(method: string, server: ServerFacts, revision: ProtocolRevision): Feature {
  const feature = revision.foreignMethods.includes(method) ? undefined : server.methods.get(method);
  if (feature !== undefined) return feature;
  throw new RpcError(rpcCodes.methodNotFound, `method ${excerpt(method)} does not exist here`);
}

/**
 * Runs a feature, at once if it answers at once.
 * @param admissible what a thrown error becomes on the era's wire
 */
export function run(
  feature: Feature,
  call: Call,
  shape: (outcome: Outcome) => Result | Promise<Result>,
  admissible: (thrown: unknown) => unknown,
): Result | Promise<Result> {
  const fail = (thrown: unknown): never => {
    throw admissible(thrown);
  };
  let outcome: Outcome | Promise<Outcome>;
  try {
    outcome = feature(call);
  } catch (thrown) {
    return fail(thrown);
  }
  return "then" in outcome ? outcome.then(shape, fail) : shape(outcome);
}
