import { type Ask, RpcError, rpcCodes } from "@parlance/jsonrpc";
import { nextRound } from "./call.js";
import { capabilitiesFor, missingCapabilities } from "./capability.js";
import type { Call, Feature, FeatureSet, InputRequired, Outcome, Refused } from "./feature.js";
import type { InputRequests, InputResponses } from "./model/input.js";

/**
 * How features ask the caller.
 * @experimental
 */
export interface Questions {
  /**
   * Refuses questions that the caller did not declare it can answer; `undefined` lets them pass.
   * @throws TypeError for what no caller could answer: the feature's own mistake
   * @see MCP 2026-07-28, basic/patterns/mrtr
   */
  refuse(call: Call, asked: InputRequired): Refused | undefined;
  /**
   * Asks what a feature wants to know and runs it again with the answers, until it has enough: for an era in which
   * answers do not come with a new request. The feature's state never leaves the process.
   * @throws RpcError −32603 when the caller answers with an error, or the feature never has enough
   */
  untilDone(feature: Feature, first: Call, asked: InputRequired, ask: Ask): Promise<Exclude<Outcome, InputRequired>>;
}

/**
 * Lets features ask the caller: with it in `features`, `input_required` is an answer. Without it such an answer is a
 * feature's mistake.
 * @experimental
 */
export function questions(): FeatureSet {
  return { capabilities: {}, methods: {}, questions: { refuse, untilDone } };
}

/**
 * How often a feature may ask within one call.
 */
export const maxRounds = 8;

const askingMethods: ReadonlySet<string> = new Set(["tools/call", "prompts/get", "resources/read"]);

function refuse({ method, caller }: Call, { inputRequests, requestState }: InputRequired): Refused | undefined {
  if (!askingMethods.has(method)) {
    throw new TypeError(`"${method}" may not answer input_required; only ${[...askingMethods].join(", ")} may`);
  }
  if (inputRequests === undefined) {
    if (requestState === undefined) {
      throw new TypeError("an input_required answer needs inputRequests, requestState or both");
    }
    return undefined;
  }
  const lacking = missingCapabilities(capabilitiesFor(inputRequests), caller.capabilities);
  return lacking === undefined
    ? undefined
    : {
        type: "refused",
        reason: "needs_capability",
        message: `"${method}" needs to ask the caller, which did not declare ${Object.keys(lacking).join(", ")}`,
        data: { requiredCapabilities: lacking },
      };
}

async function untilDone(
  feature: Feature,
  first: Call,
  asked: InputRequired,
  ask: Ask,
): Promise<Exclude<Outcome, InputRequired>> {
  let call = first;
  let outcome: Outcome = asked;
  for (let round = 0; outcome.type === "input_required"; round += 1) {
    if (round === maxRounds) {
      throw new RpcError(rpcCodes.internalError, `"${call.method}" still asks after ${maxRounds} rounds`);
    }
    const refused = refuse(call, outcome);
    if (refused !== undefined) {
      return refused;
    }
    const { inputRequests, requestState } = outcome;
    const answers = inputRequests && (await askAll(inputRequests, ask, call.signal));
    call = nextRound(call, answers, requestState);
    outcome = await feature(call);
  }
  return outcome;
}

/** All at once; when one fails, the others are taken back. */
async function askAll(requests: InputRequests, ask: Ask, caller: AbortSignal): Promise<InputResponses> {
  const others = new AbortController();
  const signal = AbortSignal.any([caller, others.signal]);
  try {
    return Object.fromEntries(
      await Promise.all(
        Object.entries(requests).map(async ([key, { method, params = {} }]) => [
          key,
          await ask(method, params, { signal }).catch((error: unknown) => {
            throw answered(method, error);
          }),
        ]),
      ),
    );
  } catch (error) {
    others.abort(error);
    throw error;
  }
}

/** Passed on as it is, the caller would take its own error for one about the request it waits on. */
function answered(method: string, error: unknown): unknown {
  if (!(error instanceof RpcError)) {
    return error;
  }
  const { code, message } = error;
  return new RpcError(rpcCodes.internalError, `the client answered "${method}" with an error: ${message}`, {
    data: { code },
    cause: error,
  });
}
