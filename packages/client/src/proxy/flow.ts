import { type JsonObject, RpcError, rpcCodes } from "@parlance/jsonrpc";
import { follow, until } from "@parlance/jsonrpc/abort";
import {
  answerFault,
  type Call,
  type ClientCapabilities,
  capabilitiesFor,
  type InputRequests,
  missingCapabilities,
  type Outcome,
} from "@parlance/protocol-versions";
import { asked, type SendAsked } from "../answers/asked.js";
import type { Inner } from "../inner.js";
import { resultOf } from "../result.js";
import { Waiting } from "../waiting.js";
import { passedParams, passedResult } from "./hop.js";
import { pagesThatAreLeft } from "./pages-first.js";

/** The state of a server that keeps none itself begins so, and that of a call which is kept here. */
export const remoteState = "r";
export const keptState = "k";
/** That of a caller who agreed to visit pages goes on with their ids. */
const pagesState = `${remoteState}[`;

/** A call that was passed on, over all rounds of its caller. */
export interface Flow {
  /** Whose it is. */
  readonly owner: string | undefined;
  /** Whether the server has answered; `"given up"`: nobody knows what it does. */
  readonly end: "answered" | "given up" | undefined;
  /** Whether its caller waits: otherwise the caller was asked, and may not come back. */
  readonly waits: boolean;
  /** Settles with `end`. */
  readonly ended: Promise<void>;
  /** Waits for the answer, or for a question. @param state of the caller in the round after this one */
  round(call: Call, state: string): Promise<Outcome>;
  /** Has the caller asked in this round, or in the next. */
  ask(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject>;
  /** Logs for the round that is being answered. */
  log: Call["log"];
  giveUp(reason: unknown): void;
}

interface Question {
  readonly method: string;
  readonly params: JsonObject;
  readonly answer: (answer: JsonObject) => void;
}

/** What callers may be asked. */
function passedCapabilities({ elicitation, sampling, roots }: ClientCapabilities): ClientCapabilities {
  return {
    ...(elicitation && { elicitation }),
    ...(sampling && { sampling }),
    ...(roots && { roots: {} }),
  };
}

/**
 * Passes a call on. It stays open on the other side while its caller is asked, which may take many rounds on this side.
 * @param asks whether the server is to know what the caller can answer
 */
export function startFlow(parts: Inner, first: Call, owner: string | undefined, asks: boolean): Flow {
  const { upkeep } = parts;
  const ask = asked(parts.send, asks);
  const questions = new Map<string, Question>();
  const giving = new AbortController();
  let current: Call | undefined;
  let { caller } = first;
  let count = 0;
  let wake: (() => void) | undefined;
  let end: Flow["end"];

  const waiting = new Waiting(
    first.method,
    { signal: giving.signal, onProgress: (...progress) => void current?.progress(...progress) },
    parts,
  );
  if (asks) waiting.capabilities = passedCapabilities(caller.capabilities);
  waiting.inputResponses = first.inputResponses;
  waiting.requestState = first.requestState?.slice(remoteState.length);

  async function send(): ReturnType<SendAsked> {
    try {
      const params = passedParams(first.params);
      const answer = await upkeep.run(({ session }) => ask(session, first.method, params, waiting), waiting);
      end = "answered";
      return answer;
    } catch (error) {
      end = error instanceof RpcError ? "answered" : "given up";
      throw error;
    } finally {
      waiting.end();
    }
  }

  const answered = send();
  // a caller that never comes back leaves it to nobody
  const ended = answered.then(ignore, ignore);

  /** While the caller has to answer, the server's own time does not run. */
  function keepTime(): void {
    waiting.extend(questions.size > 0 ? Number.POSITIVE_INFINITY : undefined);
  }

  function drop(key: string): void {
    questions.delete(key);
    keepTime();
  }

  function take({ inputResponses = {} }: Call): void {
    for (const [key, { method, params, answer }] of [...questions]) {
      const given = Object.hasOwn(inputResponses, key) ? inputResponses[key] : undefined;
      if (given === undefined) continue;
      const fault = answerFault(method, params, given);
      if (fault !== undefined) throw new RpcError(rpcCodes.invalidParams, `the answer to "${key}" ${fault}`);
      drop(key);
      answer(given);
    }
  }

  async function round(call: Call, state: string): Promise<Outcome> {
    ({ caller } = call);
    take(call);
    current = call;
    const unlink = follow(call.signal, (reason) => giving.abort(reason));
    const question = new Promise<undefined>((resolve) => {
      wake = () => resolve(undefined);
      if (questions.size > 0 && end === undefined) wake();
    });
    try {
      const answer = await Promise.race([answered, question]);
      return answer === undefined
        ? { type: "input_required", inputRequests: open(), requestState: state }
        : await passedAnswer(answer, call);
    } finally {
      unlink();
      current = undefined;
      wake = undefined;
    }
  }

  function open(): InputRequests {
    return Object.fromEntries([...questions].map(([key, { method, params }]) => [key, { method, params }]));
  }

  return {
    owner,
    get end() {
      return end;
    },
    get waits() {
      return current !== undefined;
    },
    ended,
    round,
    ask(method, params, signal) {
      const lacking = missingCapabilities(capabilitiesFor({ it: { method, params } }), caller.capabilities);
      if (lacking !== undefined) throw new RpcError(rpcCodes.methodNotFound, `the caller does not answer ${method}`);
      const key = `q${++count}`;
      const answer = new Promise<JsonObject>((resolve) => questions.set(key, { method, params, answer: resolve }));
      keepTime();
      wake?.();
      const over = AbortSignal.any([signal, giving.signal]);
      return until(answer, over).finally(() => drop(key));
    },
    log: async (...message) => current?.log(...message),
    giveUp: (reason) => giving.abort(reason),
  };
}

function passedAnswer(answer: Awaited<ReturnType<SendAsked>>, call: Call): Outcome | Promise<Outcome> {
  // no extension is passed on
  if ("result" in answer) return passedResult(resultOf(call.method, answer));
  if ("refusal" in answer) {
    const agreed = call.requestState?.startsWith(pagesState)
      ? call.requestState.slice(pagesState.length).split(" ")
      : [];
    return pagesThatAreLeft(call, answer, new Set(agreed), (ids) => pagesState + ids.join(" "));
  }
  const { inputRequests, requestState } = answer;
  return {
    type: "input_required",
    inputRequests,
    requestState: requestState === undefined ? undefined : remoteState + requestState,
  };
}

function ignore(): void {}
