import { type Ask, type JsonObject, LocalError } from "@parlance/jsonrpc";
import { follow, pause, until } from "@parlance/jsonrpc/abort";
import { encodeMessage } from "@parlance/jsonrpc/codec";
import {
  answerLost,
  type OpenStream,
  type Reader,
  readEventAnswer,
  readJsonAnswer,
  unusable,
} from "../client/answer.js";
import { createBackOff } from "../client/back-off.js";
import type { Call } from "../client/calls.js";
import { drain } from "../client/drain.js";
import type { StreamPosition } from "../client/events.js";
import { isEventStream, isSuccess } from "../client/failure.js";
import { httpClientDefaults } from "../client/options.js";
import type { FallbackSpeech, Speech, Surroundings } from "../client/speech.js";
import type { IncomingReply, Sending } from "../client/wire.js";
import { createInbox, type Inbox } from "./client-inbox.js";
import { ClientSession } from "./client-session.js";
import { isPassing, listen, opened } from "./client-stream.js";
import { createRenewal, type Renewal } from "./renewal.js";

const initialize = "initialize";
const initialized = "notifications/initialized";

/**
 * Sends in a session, which `initialize` opens and another `initialize` replaces.
 * @see MCP 2025-11-25, basic/transports, streamable HTTP
 */
export function handshakeWay(around: Surroundings, fallback: FallbackSpeech | undefined): Speech {
  const { calls, endpoint, handler, report } = around;
  const connection = { closed: around.closed, notify };
  let session = new ClientSession(endpoint);
  let inbox = openInbox(session);
  let sessions = 0;
  let renewal: Renewal | undefined;

  function openInbox(of: ClientSession): Inbox {
    const reply = async (text: string): Promise<void> => {
      if (!of.ended.aborted) await post(of, text, "an answer");
    };
    return createInbox({ handler, connection, notify, reply, report });
  }

  const reader: Reader = {
    maxMessageBytes: around.maxMessageBytes,
    get batches() {
      return session.batches;
    },
    hear: (message) => inbox.take(message),
    report,
  };

  /** Sends what is not answered. */
  async function post(to: ClientSession, text: string, what: string): Promise<void> {
    const sending = to.post(text);
    const reply = await sending.reply;
    if (!isSuccess(reply)) throw await to.refusal(reply, what);
    void drain(reply, sending); // never rejects, and what it reads is nothing to wait for
  }

  async function notify(method: string, params: JsonObject): Promise<void> {
    const current = session;
    await post(current, encodeMessage(undefined, method, params), method);
    if (method !== initialized) return;
    if (around.standaloneStream) void hearAll(current);
    // whatever was said between the last session and this one was said to nobody
    if (sessions > 1) around.missed();
  }

  /** Until the session ends, or is found to be gone: then another is wanted at once, for the sake of what it would say. */
  async function hearAll(current: ClientSession): Promise<void> {
    const lost = await listen(current, reader, around.missed).catch(() => undefined); // the session has ended
    if (lost !== undefined && current === session) renewal?.lost(lost);
  }

  function replaceSession(reason: LocalError): void {
    session.end(reason);
    inbox.abort(reason);
    session = new ClientSession(endpoint);
    inbox = openInbox(session);
  }

  function sayGivenUp(reason: unknown, call: Call): void {
    if (call.options?.cancellable === false || around.closed.aborted) return;
    const told = reason instanceof LocalError ? reason.message : reason;
    const cancelled = { requestId: call.id, ...(typeof told === "string" ? { reason: told } : undefined) };
    notify("notifications/cancelled", cancelled).catch((error: unknown) => report({ kind: "send_failed", error }));
  }

  async function answer(call: Call, params: JsonObject): Promise<void> {
    const current = session;
    const sending = current.post(encodeMessage(call.id, call.method, params));
    call.sending = sending;
    call.onGivenUp = sayGivenUp;
    const reply = await sending.reply;
    if (!isSuccess(reply)) throw await current.refusal(reply, call.method, call.id);
    if (call.method === initialize) current.name(reply);
    if (isEventStream(reply)) await readAnswer(call, { reply, sending }, current);
    else await readJsonAnswer(reply, call, reader);
  }

  /** A stream that ends before the answer is gone on with, as long as it says from where. */
  async function readAnswer(call: Call, first: OpenStream, current: ClientSession): Promise<void> {
    const position: StreamPosition = { lastId: undefined, retryMs: undefined };
    const backOff = createBackOff();
    let { reply, sending }: { reply: IncomingReply | undefined; sending: Sending } = first;
    while (call.open) {
      const before = position.lastId;
      let cause: unknown;
      try {
        reply ??= await opened(current, sending, call.method, true);
        await readEventAnswer({ reply, sending }, call, reader, position);
      } catch (error) {
        if (reply === undefined && !isPassing(error)) throw error;
        cause = error;
      }
      if (!call.open) return;
      if (before !== position.lastId) backOff.failures = 0;
      if (position.lastId === undefined || backOff.failures >= httpClientDefaults.maxResumptions) {
        throw answerLost(call, cause);
      }
      await wait(call, backOff.next(position.retryMs), current.ended);
      reply = undefined;
      if (call.open) call.sending = sending = current.get(position.lastId);
    }
  }

  function request(call: Call, params: JsonObject): void {
    const starts = call.method === initialize;
    if (starts) {
      sessions++;
      replaceSession(new LocalError("CLOSED", "the session was replaced"));
    }
    answer(call, params)
      .catch((error: unknown) => {
        if (!starts || fallback === undefined) throw error;
        return fallback.open(call, params, error);
      })
      .catch((error: unknown) => call.reject(error));
  }

  const send: Ask = (method, params, how) => calls.ask(method, how, (call) => request(call, params));

  return {
    claims: (method) => sessions > 0 || method === initialize,
    ask: (method, params, how) => {
      const ask = method === initialize ? send : (renewal?.request ?? send);
      return ask(method, params, how);
    },
    notify,
    agreed: ({ version, batches }, again) => {
      session.agree(version, batches !== undefined);
      renewal ??= again && createRenewal({ send, again, report });
    },
    close: async () => {
      const last = session;
      replaceSession(new LocalError("CLOSED", "the session was closed"));
      if (last.isNamed) await endSession(last, report);
    },
  };
}

/** Waits no longer than the call is wanted: a server may ask for hours. Rejects when it is given up, or the session ends. */
async function wait(call: Call, ms: number, ended: AbortSignal): Promise<void> {
  const waiting = new AbortController();
  call.sending = waiting;
  const unlink = follow(ended, (reason) => waiting.abort(reason));
  await pause(ms, waiting.signal).finally(unlink);
}

/** A server may refuse (405), or be silent, as may whoever gives the credentials: none of it keeps the client. */
async function endSession(session: ClientSession, report: Surroundings["report"]): Promise<void> {
  const { closeMs } = httpClientDefaults;
  const sending = session.delete();
  const ending = new AbortController();
  const timer = setTimeout(() => {
    ending.abort(new LocalError("TIMEOUT", `the session was not ended within ${closeMs} ms`, { details: { closeMs } }));
  }, closeMs);
  try {
    const reply = await until(sending.reply, ending.signal);
    if (!isSuccess(reply) && reply.status !== 404 && reply.status !== 405) throw unusable("DELETE", "no end", reply);
  } catch (error) {
    report({ kind: "session_not_ended", error });
  } finally {
    clearTimeout(timer);
    sending.abort();
  }
}
