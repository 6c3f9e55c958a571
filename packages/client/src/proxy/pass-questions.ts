import { createRunning, type JsonObject, LocalError, RpcError, rpcCodes } from "@parlance/jsonrpc";
import { until } from "@parlance/jsonrpc/abort";
import { letExit, longestTimerMs } from "@parlance/jsonrpc/timer";
import { askingMethods, type Call, type Outcome, sessionAnswers } from "@parlance/protocol-versions";
import { clientDefaults } from "../defaults.js";
import type { ClientPart, Making } from "../inner.js";
import { check } from "../option.js";
import { type Flow, keptState } from "./flow.js";
import { passedQuestion } from "./hop.js";

/**
 * How questions are passed on.
 * @stable
 */
export interface PassOptions {
  /** How long a call is kept whose caller has a question to answer, in milliseconds. Default `defaultPendingMs`. */
  readonly pendingMs?: number | undefined;
  /** How many calls are kept so; a question that would make it more is refused. Default `defaultMaxPending`. */
  readonly maxPending?: number | undefined;
}

/** How long a call is kept whose caller has a question to answer, in milliseconds. @stable */
export const defaultPendingMs: number = clientDefaults.maxTotalMs;

/** How many calls are kept whose callers have a question to answer. @stable */
export const defaultMaxPending = 100;

/** The calls of one client that its server may ask about. */
export interface Relay {
  /** Whether a call may ask its caller. */
  asks(call: Call): boolean;
  /** Goes on with a call that is under way: one round of it. */
  run(flow: Flow, call: Call): Promise<Outcome>;
  /** The call that a caller comes back to. @throws RpcError −32602 */
  find(call: Call): Flow;
}

/** By what only that client has. */
const relays: WeakMap<Making, Relay> = /* @__PURE__ */ new WeakMap();

/** The relay of a client that was connected with `passQuestions()`. */
export function relayOf(client: Making): Relay | undefined {
  return relays.get(client);
}

/**
 * Has what a server asks answered by whoever calls through `proxyFeatures`: for `connectClient({ answers })`. A stateless
 * server is told what each caller can answer. One that shakes hands is told that all can, and asked to go on without where a
 * caller cannot; its call is kept open in this process until the caller comes back with the answers.
 * @throws LocalError `INVALID_ARGUMENT`
 * @see MCP 2026-07-28, basic/patterns/mrtr
 * @stable
 */
export function passQuestions(options: PassOptions = {}): ClientPart {
  const { pendingMs = defaultPendingMs, maxPending = defaultMaxPending } = options;
  check("pendingMs", pendingMs, pendingMs > 0, "more than 0 milliseconds");
  check("maxPending", maxPending, maxPending > 0, "more than 0 calls");
  return (client) => {
    const running = new Set<Flow>();
    const kept = new Map<string, Kept>();
    const ids = new Map<Flow, string>();

    function keep(flow: Flow, call: Call): void {
      const id = stateOf(flow);
      const expire = (): void => {
        kept.delete(id);
        ids.delete(flow);
        flow.giveUp(new LocalError("TIMEOUT", `${call.method} was not answered by its caller within ${pendingMs} ms`));
      };
      const timer = setTimeout(expire, Math.min(pendingMs, longestTimerMs));
      letExit(timer);
      kept.set(id, { flow, timer, principal: call.principal?.id, method: call.method });
    }

    function stateOf(flow: Flow): string {
      const id = ids.get(flow) ?? keptState + crypto.randomUUID();
      ids.set(flow, id);
      return id;
    }

    client.closing.add(() => {
      for (const { timer } of kept.values()) clearTimeout(timer);
    });
    relays.set(client, {
      asks: ({ method }) => askingMethods.includes(method),
      async run(flow, call) {
        const id = stateOf(flow);
        const before = kept.get(id);
        running.add(flow);
        void flow.ended.then(() => running.delete(flow));
        if (before === undefined) return settle(await flow.round(call, id));
        clearTimeout(before.timer);
        kept.delete(id);
        return settle(
          await flow.round(call, id).catch((error: unknown) => {
            // the answer was none: the caller may try again
            if (flow.end === undefined) keep(flow, call);
            throw error;
          }),
        );

        function settle(outcome: Outcome): Outcome {
          if (outcome.type === "input_required" && outcome.requestState === id) keep(flow, call);
          else ids.delete(flow);
          return outcome;
        }
      },
      find(call) {
        const entry = kept.get(call.requestState ?? "");
        if (entry !== undefined && entry.principal === call.principal?.id && entry.method === call.method)
          return entry.flow;
        throw new RpcError(rpcCodes.invalidParams, "requestState is of no call that is kept here; make the call anew");
      },
    });

    async function answer(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
      const flow = await whose([...running], signal);
      if (!kept.has(stateOf(flow)) && kept.size >= maxPending) throw full(maxPending);
      return flow.ask(method, passedQuestion(params), signal);
    }

    const { self } = client;
    const capabilities = { elicitation: { form: {}, url: {} }, sampling: { tools: {}, context: {} }, roots: {} };
    self.capabilities = { ...capabilities, ...self.capabilities };
    self.answer = async (method, params, signal = new AbortController().signal, session) => {
      const answered = await answer(method, params, signal);
      return (session && sessionAnswers.putAnswer?.(answered, session.version)) ?? answered;
    };
    self.answering = createRunning;
  };
}

interface Kept {
  readonly flow: Flow;
  readonly timer: ReturnType<typeof setTimeout>;
  readonly principal: string | undefined;
  readonly method: string;
}

/**
 * The call that a question belongs to. Sessions do not say: it is the only one that is under way, or the last of one owner's.
 * Of several owners' calls, those that end were not the one, since a call does not end while it asks.
 */
async function whose(flows: readonly Flow[], signal: AbortSignal): Promise<Flow> {
  let left = flows;
  for (;;) {
    const [first] = left;
    if (first === undefined)
      throw new RpcError(rpcCodes.methodNotFound, "there is no call whose caller could be asked");
    const last = left.findLast(({ waits }) => waits) ?? left.at(-1) ?? first;
    if (left.length === 1 || (first.owner !== undefined && left.every(({ owner }) => owner === first.owner)))
      return last;
    await until(Promise.race(left.map(({ ended }) => ended)), signal);
    if (left.some(({ end }) => end === "given up")) {
      throw new RpcError(rpcCodes.internalError, "it cannot be told whose call asks, as one of several was given up");
    }
    left = left.filter(({ end }) => end === undefined);
  }
}

function full(maxPending: number): RpcError {
  return new RpcError(rpcCodes.internalError, `${maxPending} calls wait for answers already`);
}
