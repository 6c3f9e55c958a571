import { type Exchange, type JsonObject, RpcError, rpcCodes } from "@parlance/jsonrpc";
import { until } from "@parlance/jsonrpc/abort";
import { changedCall } from "../call.js";
import type { Call, Feature, InputRequired, Outcome } from "../feature.js";
import type { InputRequests, InputResponses } from "../model/input.js";
import { refuseQuestions } from "../question.js";
import { type ServedSession, served } from "../served.js";
import { putQuestion } from "./question.js";

/**
 * How often a feature may ask within one call.
 */
export const maxRounds = 8;

/** How often it may put itself off without asking, in between. */
const maxDelays = 100;

/**
 * Asks the client what a feature wants to know and runs the feature again with the answers, until it has enough.
 * The feature's state never leaves the process.
 * @throws RpcError −32600 when the connection cannot carry questions, −32603 when the client answers with an error, or the
 * feature never has enough
 */
export function askUntilDone(next: Feature): Feature {
  async function ask(first: Call, asked: InputRequired, exchange: Exchange, session: ServedSession): Promise<Outcome> {
    let call = first;
    let outcome: Outcome = asked;
    const left = { rounds: maxRounds, delays: maxDelays };
    while (outcome.type === "input_required") {
      const { inputRequests, requestState } = outcome;
      const spent = inputRequests === undefined ? left.delays-- : left.rounds--;
      if (spent === 0) {
        throw new RpcError(rpcCodes.internalError, `"${call.method}" still asks after ${maxRounds} rounds`);
      }
      if (inputRequests !== undefined && exchange.request === undefined) throw unasked(call.method);
      const refused = refuseQuestions(call, outcome);
      if (refused !== undefined) return refused;
      const answers = inputRequests && (await askAll(inputRequests, exchange, session));
      call = changedCall(call, { inputResponses: answers, requestState });
      outcome = await next(call);
    }
    return outcome;
  }

  return (made) => {
    const { exchange, session } = made[served] ?? {};
    // what is of no session, or asks in another way already, is not ours
    if (exchange === undefined || session === undefined || "inputResponses" in made) return next(made);
    const call = Object.assign(made, { inputResponses: undefined, requestState: undefined });
    const goOn = (outcome: Outcome): Outcome | Promise<Outcome> =>
      outcome.type === "input_required" ? ask(call, outcome, exchange, session) : outcome;
    const outcome = next(call);
    return "then" in outcome ? outcome.then(goOn) : goOn(outcome);
  };
}

type Question = readonly [key: string, InputRequests[string]];

/** All at once, when the client has said that it is ready; when one fails, the others are taken back. */
async function askAll(requests: InputRequests, exchange: Exchange, session: ServedSession): Promise<InputResponses> {
  const { request, signal: caller } = exchange;
  if (request === undefined) throw unasked("the request");
  await until(new Promise<void>((resolve) => session.whenReady(resolve)), caller);
  const others = new AbortController();
  const signal = AbortSignal.any([caller, others.signal]);
  const ask = async ([key, { method, params = {} }]: Question): Promise<[string, JsonObject]> => {
    const put = putQuestion(method, params, session);
    try {
      return [key, await request(method, put, { signal })];
    } catch (error) {
      throw answered(method, error);
    }
  };
  try {
    return Object.fromEntries(await Promise.all(Object.entries(requests).map(ask)));
  } catch (error) {
    others.abort(error);
    throw error;
  }
}

/** The answer to a question needs a session to find its way back, and a stream for the question to go out on. */
function unasked(method: string): RpcError {
  const how = "a session begun with initialize, whose client accepts event streams, or revision 2026-07-28";
  return new RpcError(rpcCodes.invalidRequest, `${method} needs to ask the caller, which takes ${how}`);
}

/** Passed on as it is, the client would take its own error for one about the request it waits on. */
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
