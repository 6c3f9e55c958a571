import { LocalError, type Result, RpcError, rpcCodes } from "@parlance/jsonrpc";
import { excerpt } from "@parlance/jsonrpc/codec";
import type { ServerFacts } from "./era.js";
import type { Call, Feature, Outcome, Refused } from "./feature.js";

/**
 * How a revision says what came of a call.
 */
export interface Speech {
  shape(method: string, outcome: Answered): Result;
  /** The code of a refusal. */
  refusal(reason: Refused["reason"], method: string): number;
  /** The code under which a thrown error travels. */
  thrown(error: RpcError): number;
}

/** What a feature answers when it neither refuses nor asks. */
type Answered = Exclude<Outcome, { readonly type: "refused" | "input_required" }>;

/**
 * The feature that answers a method.
 * @throws RpcError −32601 when none does
 */
export function featureFor(method: string, { methods }: ServerFacts): Feature {
  const feature = methods.get(method);
  if (feature === undefined) throw notFound(method);
  return feature;
}

/** The error of a method that there is not. */
export function notFound(method: string): RpcError {
  return new RpcError(rpcCodes.methodNotFound, `method ${excerpt(method)} does not exist here`);
}

/**
 * Runs a feature, at once if it answers at once.
 * @throws RpcError for a refusal; what the feature throws, an `RpcError` under the code that it has in the revision
 */
export function run(feature: Feature, call: Call, speech: Speech): Result | Promise<Result> {
  const shape = (outcome: Outcome): Result => shapeOutcome(outcome, call, speech);
  const fail = (thrown: unknown): never => {
    throw thrown instanceof RpcError ? recoded(thrown, speech.thrown(thrown)) : thrown;
  };
  let outcome: Outcome | Promise<Outcome>;
  try {
    outcome = feature(call);
  } catch (thrown) {
    return fail(thrown);
  }
  return "then" in outcome ? outcome.then(shape, fail) : shape(outcome);
}

function shapeOutcome(outcome: Outcome, { method, params }: Call, speech: Speech): Result {
  switch (outcome.type) {
    case "refused": {
      const { reason, message, data } = outcome;
      // whatever feature says so, what was not found is named
      const isUnnamed = reason === "not_found" && data === undefined && "uri" in params;
      throw new RpcError(speech.refusal(reason, method), message, { data: isUnnamed ? { uri: params["uri"] } : data });
    }
    case "input_required":
      throw new LocalError("INVALID_ARGUMENT", "to answer input_required, put questions() among the features");
    default:
      return speech.shape(method, outcome);
  }
}

function recoded(thrown: RpcError, code: number): RpcError {
  return code === thrown.code ? thrown : new RpcError(code, thrown.message, { data: thrown.data, cause: thrown });
}
