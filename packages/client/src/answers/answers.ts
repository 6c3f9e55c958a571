import { createRunning, type JsonObject, LocalError, RpcError, rpcCodes } from "@parlance/jsonrpc";
import { pause, until } from "@parlance/jsonrpc/abort";
import {
  type CallResult,
  type InputRequests,
  type InputResponses,
  type Session,
  type Settled,
  sessionAnswers,
} from "@parlance/protocol-versions";
import type { ClientPart, Send } from "../inner.js";
import { check } from "../option.js";
import type { NextRound } from "../waiting.js";
import { answerOne, capabilitiesOf } from "./answer.js";
import { asked } from "./asked.js";
import type { AnswerHandlers } from "./handlers.js";

/**
 * How questions are answered.
 * @stable
 */
export interface AnswersOptions {
  /** What this program calls the server; handlers are told, so that a user knows who asks. */
  readonly name?: string | undefined;
  /** How often one request may ask. Default 10. */
  readonly maxRounds?: number | undefined;
  /** How many questions may be open at a time: of one round, or in a session. More are not shown to anybody. Default 100. */
  readonly maxQuestions?: number | undefined;
  /** How long a request waits that the server put off a second time in a row, in milliseconds; each time twice as long, up to 20 times. Default 250. */
  readonly delayMs?: number | undefined;
}

const defaultMaxRounds = 10;
const defaultMaxQuestions = 100;
const defaultDelayMs = 250;
const longestDelay = 20;

/**
 * Answers what servers ask, by handlers that are given once and serve every revision. A handler that fails leaves a form or
 * page cancelled; where there is no such answer, the request fails.
 * @throws LocalError `INVALID_ARGUMENT` when there is no handler
 * @see MCP 2026-07-28, basic/patterns/mrtr
 * @stable
 */
export function answers(handlers: AnswerHandlers, options: AnswersOptions = {}): ClientPart {
  const { name, maxRounds = defaultMaxRounds, maxQuestions = defaultMaxQuestions, delayMs = defaultDelayMs } = options;
  const capabilities = capabilitiesOf(handlers);
  check("answers", "{}", Object.keys(capabilities).length > 0, "one handler or more: form, url, sample, roots");
  return (client) => {
    const { self, failed } = client;
    const send = asked(client.send, handlers.url !== undefined);
    const running = new Set<NextRound>();
    let open = 0;

    /** While the server waits for us, its own time does not run. */
    function give(ms?: number): void {
      for (const request of running) request.extend(ms);
    }

    async function answer(
      method: string,
      params: JsonObject,
      signal: AbortSignal,
      session: Settled | undefined,
    ): Promise<JsonObject> {
      open += 1;
      give(Number.POSITIVE_INFINITY);
      try {
        return await until(answerOne(handlers, method, params, { name, server: session?.server.info, signal }), signal);
      } catch (error) {
        // what does not fit is the handler's doing too
        const isOurs = !(error instanceof RpcError) || error.code === rpcCodes.internalError;
        if (isOurs && !signal.aborted) failed(error);
        throw error;
      } finally {
        open -= 1;
        if (open === 0) give();
      }
    }

    async function answerInSession(
      method: string,
      params: JsonObject,
      signal: AbortSignal = new AbortController().signal,
      session?: Settled,
    ): Promise<JsonObject> {
      if (open >= maxQuestions) throw new RpcError(rpcCodes.internalError, tooMany(open + 1, maxQuestions));
      const answered = await answer(method, params, signal, session);
      return (session && sessionAnswers.putAnswer?.(answered, session.version)) ?? answered;
    }

    /** In a round there is no error to answer with: a form is cancelled then, and without anything else the request cannot go on. */
    async function answerInRound(
      method: string,
      params: JsonObject,
      signal: AbortSignal,
      session: Session,
    ): Promise<JsonObject> {
      try {
        return await answer(method, params, signal, session);
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        if (method === "elicitation/create") return { action: "cancel" };
        const message = `the server's question ${method} was not answered: ${error instanceof Error ? error.message : error}`;
        throw new LocalError("UNSUPPORTED", message, { cause: error, details: { method } });
      }
    }

    async function answerAll(requests: InputRequests, signal: AbortSignal, session: Session): Promise<InputResponses> {
      const others = new AbortController();
      const both = AbortSignal.any([signal, others.signal]);
      const all = Object.entries(requests).map(
        async ([key, { method, params = {} }]) => [key, await answerInRound(method, params, both, session)] as const,
      );
      try {
        return Object.fromEntries(await Promise.all(all));
      } catch (error) {
        others.abort(error);
        throw error;
      }
    }

    /**
     * Questions of a round go out beside each other; a request that the server puts off waits longer each time. So does one
     * that it refuses for a page which the user has agreed to already: it is not opened again.
     */
    async function drive(
      session: Session,
      method: string,
      params: JsonObject,
      next: Parameters<Send>[3],
    ): Promise<CallResult> {
      let answer = await send(session, method, params, next);
      const agreed = new Set<string>();
      let delay = 0;
      for (let round = 0; !("result" in answer); ) {
        const { requestState } = answer;
        const refusal = "refusal" in answer ? answer.refusal : undefined;
        const inputRequests = without(answer.inputRequests, agreed);
        let responses: InputResponses | undefined;
        const count = Object.keys(inputRequests).length;
        if (count > 0) {
          round += 1;
          if (round > maxRounds) throw badReply(method, `still asks after ${maxRounds} rounds of answers`);
          if (count > maxQuestions) throw badReply(method, `was answered so that ${tooMany(count, maxQuestions)}`);
          responses = await answerAll(inputRequests, next.aborted, session);
          if (refusal !== undefined) agreeTo(responses, agreed, refusal);
          delay = 0;
        } else {
          if (delay > 0) await pause(delay, next.aborted);
          delay = Math.min(longestDelay * delayMs, delay === 0 ? delayMs : 2 * delay);
        }
        next.aborted.throwIfAborted();
        next.extend();
        next.inputResponses = responses;
        next.requestState = requestState;
        answer = await send(session, method, params, next);
      }
      return answer;
    }

    self.capabilities = { ...capabilities, ...self.capabilities };
    self.answer = answerInSession;
    self.answering = createRunning;
    self.sessionCapabilities = handlers.roots && { roots: { listChanged: true } };
    client.send = async (session, method, params, next) => {
      running.add(next);
      try {
        return await drive(session, method, params, next);
      } finally {
        running.delete(next);
      }
    };
  };
}

function without(requests: InputRequests = {}, names: ReadonlySet<string>): InputRequests {
  return Object.fromEntries(Object.entries(requests).filter(([name]) => !names.has(name)));
}

/** @throws the refusal, when there is a page that the user does not visit */
function agreeTo(responses: InputResponses, agreed: Set<string>, refusal: RpcError): void {
  for (const [id, { action }] of Object.entries(responses)) {
    if (action !== "accept") throw refusal;
    agreed.add(id);
  }
}

function tooMany(count: number, maxQuestions: number): string {
  return `${count} questions are open at a time; the limit is ${maxQuestions}`;
}

function badReply(method: string, what: string): LocalError {
  return new LocalError("BAD_REPLY", `${method} ${what}`, { details: { method } });
}
