import { type Ask, type Exchange, type JsonObject, RpcError, rpcCodes } from "@parlance/jsonrpc";
import { nextRound } from "../call.js";
import type { Call, Feature, Outcome } from "../feature.js";
import type { InputRequests, InputResponses } from "../model/input.js";
import { type InputRequired, refuseQuestions } from "../question.js";
import type { SessionState } from "./state.js";

/**
 * How often a feature may ask within one call.
 */
export const maxRounds = 8;

/**
 * Asks the client what a feature wants to know and runs the feature again with the answers, until it has enough.
 * The feature's state never leaves the process.
 * @throws RpcError −32603 when the client answers with an error, cannot be asked, or the feature never has enough
 */
export async function askUntilDone(
  feature: Feature,
  first: Call,
  asked: InputRequired,
  exchange: Exchange,
  state: SessionState,
): Promise<Exclude<Outcome, InputRequired>> {
  let call = first;
  let outcome: Outcome = asked;
  for (let round = 0; outcome.type === "input_required"; round += 1) {
    if (round === maxRounds) {
      throw new RpcError(rpcCodes.internalError, `"${call.method}" still asks after ${maxRounds} rounds`);
    }
    const refused = refuseQuestions(call.method, outcome, state.caller.capabilities);
    if (refused !== undefined) {
      return refused;
    }
    const { inputRequests, requestState } = outcome;
    const answers = inputRequests && (await askAll(inputRequests, exchange, state));
    call = nextRound(call, answers, requestState);
    outcome = await feature(call);
  }
  return outcome;
}

async function askAll(questions: InputRequests, exchange: Exchange, state: SessionState): Promise<InputResponses> {
  const ask = exchange.request;
  if (ask === undefined) {
    throw new RpcError(rpcCodes.internalError, "this connection cannot carry questions to the client");
  }
  await state.ready(exchange.signal);
  const others = new AbortController();
  const signal = AbortSignal.any([exchange.signal, others.signal]);
  try {
    return Object.fromEntries(
      await Promise.all(
        Object.entries(questions).map(async ([key, { method, params }]): Promise<[string, JsonObject]> => {
          const sent = state.spoken.downgrade(method, params ?? {});
          return [key, await answerOf(ask, method, sent, signal)];
        }),
      ),
    );
  } catch (error) {
    others.abort(error);
    throw error;
  }
}

async function answerOf(ask: Ask, method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
  try {
    return await ask(method, params, { signal });
  } catch (error) {
    if (!(error instanceof RpcError)) {
      throw error;
    }
    // passed on as it is, the client would take its own error for one about the request it waits on
    throw new RpcError(rpcCodes.internalError, `the client answered "${method}" with an error: ${error.message}`, {
      data: { code: error.code },
      cause: error,
    });
  }
}
