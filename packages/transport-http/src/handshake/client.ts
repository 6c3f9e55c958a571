import { type JsonObject, LocalError, type Peer } from "@parlance/jsonrpc";
import { encodeMessage } from "@parlance/jsonrpc/codec";
import { answerLost, isEventStream, type Reader, readEventAnswer, readJsonAnswer } from "../client/answer.js";
import { createBackOff, pause } from "../client/back-off.js";
import type { Call } from "../client/calls.js";
import { drain } from "../client/drain.js";
import type { StreamPosition } from "../client/events.js";
import { failure, isSuccess } from "../client/failure.js";
import { httpClientDefaults } from "../client/options.js";
import type { Speech, Surroundings } from "../client/speech.js";
import type { Sending } from "../client/wire.js";
import { createInbox } from "./client-inbox.js";
import { ClientSession } from "./client-session.js";
import { isPassing, listen, type OpenStream, openStream } from "./client-stream.js";

const initialize = "initialize";
const initialized = "notifications/initialized";

/** How a server that does not know Streamable HTTP refuses `initialize`. */
const strangerStatuses: readonly unknown[] = [400, 404, 405, 406, 415];

/**
 * Sends in a session, which `initialize` opens and another `initialize` replaces.
 * @see MCP 2025-11-25, basic/transports, streamable HTTP
 */
export function handshakeWay(around: Surroundings): Speech {
  const { endpoint, handler, report, fallback } = around;
  let session = new ClientSession(endpoint);
  let begun = false;
  /** Set once the older way had to be taken. */
  let older: Peer | undefined;

  const inbox = createInbox({
    handler,
    connection: { closed: around.closed, notify },
    notify,
    reply: (text) => accept(session, text, "the answer to a question"),
    report,
  });

  const reader: Reader = {
    maxMessageBytes: around.maxMessageBytes,
    get batches() {
      return session.batches;
    },
    hear: inbox.take,
    report,
  };

  /** Sends what is not answered. */
  async function accept(to: ClientSession, text: string, what: string): Promise<void> {
    const sending = to.post(text);
    const reply = await sending.reply;
    const lost = to.lost(reply, what, false);
    if (lost === undefined && !isSuccess(reply)) throw await failure(reply, what);
    void drain(reply, sending); // never rejects, and what it reads is nothing to wait for
    if (lost !== undefined) throw lost;
  }

  async function notify(method: string, params: JsonObject): Promise<void> {
    if (older !== undefined) return older.notify(method, params);
    const current = session;
    await accept(current, encodeMessage(undefined, method, params), method);
    if (method === initialized && around.standaloneStream) void listen(current, reader); // ends with the session
  }

  function replaceSession(reason: string): void {
    session.end(new LocalError("CLOSED", reason));
    inbox.abort(session.ended.reason);
    session = new ClientSession(endpoint);
  }

  function send(call: Call, method: string, params: JsonObject): Sending {
    const sending = session.post(encodeMessage(call.id, method, params));
    call.onGivenUp = (reason) => {
      sending.abort();
      if (call.options?.cancellable === false || around.closed.aborted) return;
      const told = reason instanceof LocalError ? reason.message : reason;
      const cancelled = { requestId: call.id, ...(typeof told === "string" ? { reason: told } : undefined) };
      notify("notifications/cancelled", cancelled).catch((error: unknown) => report({ kind: "send_failed", error }));
    };
    return sending;
  }

  async function answer(call: Call, method: string, sending: Sending, current: ClientSession): Promise<void> {
    const reply = await sending.reply;
    const lost = current.lost(reply, method, false);
    if (lost !== undefined) {
      void drain(reply, sending); // never rejects
      throw lost;
    }
    if (!isSuccess(reply)) throw await failure(reply, method, call.id);
    if (method === initialize) current.name(reply);
    if (!isEventStream(reply)) await readJsonAnswer(reply, call, method, reader);
    else await readAnswer(call, method, { reply, sending }, current);
  }

  /** A stream that ends before the answer is gone on with, as long as it says from where. */
  async function readAnswer(call: Call, method: string, first: OpenStream, current: ClientSession): Promise<void> {
    const position: StreamPosition = { lastId: undefined, retryMs: undefined };
    const backOff = createBackOff();
    let stream: OpenStream | undefined = first;
    while (call.open) {
      const before = position.lastId;
      let cause: unknown;
      try {
        stream ??= await openStream(current, position.lastId, method);
        call.onGivenUp = cutBefore(call.onGivenUp, stream.sending);
        await readEventAnswer(stream, call, method, reader, position);
      } catch (error) {
        if (stream === undefined && !isPassing(error)) throw error;
        cause = error;
      }
      stream = undefined;
      if (!call.open) return;
      if (before !== position.lastId) backOff.succeeded();
      if (position.lastId === undefined || backOff.failures >= httpClientDefaults.maxResumptions) {
        throw answerLost(method, cause);
      }
      await pause(backOff.next(position.retryMs), current.ended);
    }
  }

  async function askOlder(call: Call, method: string, params: JsonObject, peer: Peer): Promise<void> {
    const giving = new AbortController();
    call.onGivenUp = (reason) => giving.abort(reason);
    call.resolve(await peer.request(method, params, { signal: giving.signal, cancellable: call.options?.cancellable }));
  }

  /** Opens the older way, if there is one and the server may know it. */
  async function fallBack(call: Call, params: JsonObject, error: unknown): Promise<void> {
    const isStranger =
      error instanceof LocalError && error.code === "BAD_REPLY" && strangerStatuses.includes(error.details["status"]);
    if (fallback === undefined || !isStranger) throw error;
    const giving = new AbortController();
    call.onGivenUp = (reason) => giving.abort(reason);
    const { maxMessageBytes } = around;
    const peer = await fallback
      .connect({ endpoint, handler, maxMessageBytes, signal: giving.signal, report })
      .catch((cause: unknown) => {
        const why = cause instanceof Error ? cause.message : String(cause);
        throw new LocalError("BAD_REPLY", `${error.message}; the older HTTP+SSE was tried too: ${why}`, { cause });
      });
    if (!call.open) return peer.close();
    older = peer;
    peer.closed.addEventListener("abort", () => around.lose(peer.closed.reason), { once: true });
    await askOlder(call, initialize, params, peer);
  }

  return {
    claims: (method) => begun || method === initialize,
    request: (call, method, params) => {
      const fail = (error: unknown): void => call.reject(error);
      if (older !== undefined) {
        askOlder(call, method, params, older).catch(fail);
        return;
      }
      if (method !== initialize) {
        answer(call, method, send(call, method, params), session).catch(fail);
        return;
      }
      begun = true;
      replaceSession("the session was replaced");
      answer(call, method, send(call, method, params), session)
        .catch((error: unknown) => fallBack(call, params, error))
        .catch(fail);
    },
    notify,
    agreed: (to) => {
      older?.agreed?.(to);
      session.agree(to.version, to.batches);
    },
    close: async () => {
      const last = session;
      replaceSession("the session was closed");
      await older?.close();
      if (last.isNamed) await endSession(last, report);
    },
  };
}

function cutBefore(next: Call["onGivenUp"], sending: Sending): Call["onGivenUp"] {
  return (reason) => {
    sending.abort();
    next?.(reason);
  };
}

/** A server may refuse (405), or be silent: neither keeps the client. */
async function endSession(session: ClientSession, report: Surroundings["report"]): Promise<void> {
  const sending = session.delete();
  const timer = setTimeout(sending.abort, httpClientDefaults.closeMs);
  try {
    const reply = await sending.reply;
    if (!isSuccess(reply) && reply.status !== 405 && reply.status !== 404) {
      throw await failure(reply, "the end of the session");
    }
    await drain(reply, sending);
  } catch (error) {
    report({ kind: "session_not_ended", error });
  } finally {
    clearTimeout(timer);
  }
}
