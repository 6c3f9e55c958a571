import { type JsonObject, LocalError, RpcError, rpcCodes } from "@parlance/jsonrpc";
import { until } from "@parlance/jsonrpc/abort";
import { isPromise } from "@parlance/jsonrpc/respond";
import {
  askingMethods,
  type Call,
  changedCall,
  type Feature,
  isJsonObject,
  type Outcome,
} from "@parlance/protocol-versions";
import { createAsking, handled } from "./ask.js";
import { within } from "./within.js";

/** What a call carries from one round to the next. */
interface Carried {
  /** Answers of earlier rounds: the caller sends those of the latest only. */
  readonly answers: JsonObject;
  /** What work gave that is done once; in a list of its own, since nothing at all is a result too. */
  readonly once: Readonly<Record<string, readonly unknown[]>>;
}

/** How long one round waits for a user who is on a page, in milliseconds: less than most callers wait for an answer. */
const pageWaitMs = 20_000;

/**
 * Lets features ask by `call.elicit` and the rest: runs them up to a question without an answer, and answers
 * `input_required` then, whatever they make of the error that ends the run.
 * @param waitMs how long one round waits for a user who is on a page, in milliseconds
 * @see MCP 2026-07-28, basic/patterns/mrtr
 */
export function inRounds(next: Feature, waitMs: number = pageWaitMs): Feature {
  return (call) => {
    if (!askingMethods.includes(call.method)) return next(call);
    const round = createRound(call, waitMs);
    let outcome: Outcome | Promise<Outcome>;
    try {
      outcome = next(round.call);
    } catch (error) {
      return round.failed(error);
    }
    return isPromise(outcome) ? outcome.then(round.done, round.failed) : round.done(outcome);
  };
}

interface Round {
  readonly call: Call;
  done(outcome: Outcome): Outcome | Promise<Outcome>;
  failed(error: unknown): Outcome | Promise<Outcome>;
}

function createRound(call: Call, waitMs: number): Round {
  const unanswered = new RpcError(
    rpcCodes.internalError,
    "a question waits for its answer; this error should be let pass",
  );
  const asked = new Map<string, { readonly text: string; readonly method: string; readonly params: JsonObject }>();
  const works = new Map<string, Promise<readonly unknown[]>>();
  const kept = byKey<JsonObject>();
  const results = byKey<readonly unknown[]>();
  let carried: Carried | undefined;
  let open: Record<string, { readonly method: string; readonly params: JsonObject }> | undefined;
  let isPutOff = false;

  /** Read when it is first asked for: most calls ask nothing. */
  function earlier(): Carried {
    carried ??= readState(call.requestState);
    return carried;
  }

  async function answer(key: string, method: string, params: JsonObject): Promise<JsonObject> {
    const text = JSON.stringify([method, params]);
    const before = asked.get(key);
    if (before !== undefined && before.text !== text) {
      throw new LocalError(
        "INVALID_ARGUMENT",
        `"${key}" names two questions of one call; each should have its own key`,
      );
    }
    asked.set(key, { text, method, params });
    const given = own(earlier().answers, key) ?? own(call.inputResponses ?? {}, key);
    if (isJsonObject(given)) {
      kept[key] = given;
      return given;
    }
    open ??= byKey();
    open[key] = { method, params };
    throw unanswered;
  }

  async function wait(done: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
    if (await within(done, call.signal, waitMs)) return;
    isPutOff = true;
    throw unanswered;
  }

  function once<T>(key: string, work: () => T | Promise<T>): Promise<T> {
    const running = works.get(key) ?? begin(key, work);
    works.set(key, running);
    // what is kept under a key is what its work gave
    return handled(running.then(([value]) => value as T));
  }

  async function begin(key: string, work: () => unknown): Promise<readonly unknown[]> {
    const before = own(earlier().once, key);
    const value = before ?? asJson(await work());
    results[key] = value;
    return value;
  }

  async function ask(): Promise<Outcome> {
    // the answers may take long: what is under way by then is not to be done again
    // work may never end, and nobody waits for a call that was given up
    if (works.size > 0) await until(Promise.allSettled(works.values()), call.signal);
    const { answers, once: earlierOnce } = earlier();
    const state: Carried = { answers: { ...answers, ...kept }, once: { ...earlierOnce, ...results } };
    const isEmpty = Object.keys(state.answers).length + Object.keys(state.once).length === 0;
    const requestState = isEmpty && open !== undefined ? undefined : JSON.stringify(state);
    return { type: "input_required", inputRequests: open, requestState };
  }

  const isAsking = (): boolean => open !== undefined || isPutOff;
  return {
    call: changedCall(call, { ...createAsking({ answer, wait }), once }),
    done: (outcome) => (isAsking() ? ask() : outcome),
    failed: (error) => {
      if (isAsking() && error === unanswered) return ask();
      throw error;
    },
  };
}

/** Any text is a key, `__proto__` too. */
function byKey<T>(): Record<string, T> {
  return Object.create(null);
}

function own<T>(from: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(from, key) ? from[key] : undefined;
}

/** The same in the round that makes it as in those that read it. */
function asJson(value: unknown): readonly unknown[] {
  const text = JSON.stringify(value);
  return text === undefined ? [] : [JSON.parse(text)];
}

/** @throws RpcError −32602 for state that is none: unsealed, it may be anything */
function readState(text: string | undefined): Carried {
  if (text === undefined) return { answers: {}, once: {} };
  try {
    const { answers, once } = JSON.parse(text);
    if (isJsonObject(answers) && isJsonObject(once) && Object.values(once).every(Array.isArray)) {
      return { answers, once: once as Carried["once"] };
    }
  } catch {
    // told below
  }
  throw new RpcError(rpcCodes.invalidParams, "requestState is not what this call was given");
}
