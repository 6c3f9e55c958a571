import type { Batches, Reply } from "./batch.js";
import type { createCalls } from "./calls.js";
import { type Classified, classify, encodeError, encodeMessage, type Malformed, parse, refusal } from "./codec.js";
import { LocalError, rpcCodes } from "./error.js";
import type { Agreed, Ask, Connection, Handler, Notify, Peer } from "./handler.js";
import { createOutbox } from "./outbox.js";
import type { Report } from "./report.js";
import { alone, hear, respond } from "./respond.js";
import type { createRunning } from "./running.js";
import type { Sink, Transport } from "./transport.js";

/**
 * How a connection is made.
 * @stable
 */
export interface ConnectOptions {
  /** Names what is at the other end; handed on as `Peer.authority`. */
  readonly authority?: string | undefined;
  /** Tells apart callers that must not share what is remembered; handed on as `Peer.partition`. */
  readonly partition?: string | undefined;
  /** Hears what goes wrong and no promise tells. What it throws is ignored. */
  readonly report?: ((report: Report) => void) | undefined;
  /**
   * What becomes of a frame that is no valid message: a server answers it with an error, a client only reports it
   * (but a request whose id can be read always gets its error). Default `"answer"`; with `over` it is `"report"`.
   */
  readonly malformed?: "answer" | "report" | undefined;
}

/** What a peer is made of: not all need all. Who answers without `answering` cannot be told to stop. */
export interface Parts {
  readonly asking: typeof createCalls | undefined;
  readonly answering: typeof createRunning | undefined;
}

/** What is left of a peer that asks nothing. */
export type Serving = Pick<Peer, "close" | "closed">;

/** Both directions of one pipe: our calls, and the peer's requests. */
export function createPeer(
  transport: Transport,
  handler: Handler,
  options: ConnectOptions,
  parts: Parts & { readonly asking: typeof createCalls },
): Promise<Peer>;
export function createPeer(
  transport: Transport,
  handler: Handler,
  options: ConnectOptions,
  parts: Parts,
): Promise<Serving>;
export async function createPeer(
  transport: Transport,
  handler: Handler,
  options: ConnectOptions,
  { asking, answering }: Parts,
): Promise<Serving> {
  const { authority, partition } = options;
  const answersMalformed = options.malformed !== "report";
  const closed = new AbortController();
  // opened when all of this is there, since it may deliver at once
  const opening = Promise.resolve<Sink>({
    frame,
    lost,
    closed: (cause) => end(lostConnection(cause), cause === undefined),
  }).then(transport);
  const outbox = createOutbox(opening);
  let batches: Batches | undefined;
  /** Set: nothing more comes, and nothing may be asked. */
  let reason: LocalError | undefined;
  /** Set: no answer leaves any more. A peer that only stopped talking still gets them. */
  let closing: Promise<void> | undefined;

  const calls = asking?.({ send: outbox.send, notify, report, opened: outbox.letGo });
  const connection: Connection = { closed: closed.signal, agreed, notify };
  const running = answering?.({ handler, connection, ask: calls?.request, notify, report });

  function report(what: Report): void {
    // a listener that throws must not end the connection, and there is nobody else to tell
    alone(() => options.report?.(what));
  }

  function agreed(to: Agreed): void {
    batches = to.batches;
  }

  function notify(...message: Parameters<Notify>): Promise<void> {
    const sent = sendNotification(...message);
    // whoever does not wait for a notification does not ask what became of it
    alone(() => sent);
    return sent;
  }

  async function sendNotification(...message: Parameters<Notify>): Promise<void> {
    if (reason !== undefined) throw reason;
    await outbox.send(encodeMessage(undefined, ...message));
  }

  function reply(text: string | undefined): void {
    if (text === undefined || closing !== undefined) return;
    outbox.send(text)?.catch((error: unknown) => {
      // over a connection that is gone it is no news
      if (reason === undefined) report({ kind: "send_failed", error });
    });
  }

  function receive(incoming: Classified, text: string, answer: Reply): void {
    switch (incoming.kind) {
      case "request":
        if (running !== undefined) running.start(incoming.message, answer);
        else respond(handler, incoming.message, { connection, signal: closed.signal, notify }, report, answer);
        break;
      case "notification": {
        const { method, params } = incoming.message;
        if (method === "notifications/cancelled" && running?.cancel(params)) break;
        hear(handler, incoming.message, connection, report);
        break;
      }
      case "response":
        if (calls !== undefined) calls.settle(incoming.message);
        else report({ kind: "stray_response", response: incoming.message });
        break;
      case "malformed":
        answer(refuse(incoming, text));
        break;
      default:
        incoming satisfies never;
    }
  }

  /** @returns the error to answer with, if any */
  function refuse(malformed: Malformed, text: string): string | undefined {
    const { meant, id, error } = malformed;
    const isNamedRequest = meant === "request" && id !== undefined;
    if (!isNamedRequest && id !== undefined && calls?.fail(id, new LocalError("BAD_REPLY", error.message))) {
      return undefined;
    }
    report({ kind: "malformed", error, text });
    return answersMalformed || isNamedRequest ? refusal(malformed) : undefined;
  }

  /** @param hears whether the other side may still hear answers */
  function end(why: LocalError, hears: boolean): void {
    if (reason !== undefined) return;
    reason = why;
    if (!hears) shut();
    calls?.end(why);
    outbox.letGo();
    closed.abort(why);
    if (running === undefined) shut();
    else running.end(why, shut);
  }

  function shut(): void {
    closing ??= outbox.close(reason).catch((error: unknown) => report({ kind: "close_failed", error }));
  }

  function frame(text: string): Promise<void> | undefined {
    if (reason !== undefined) return undefined;
    const incoming = parse(text);
    if (incoming.kind !== "batch") receive(incoming, text, reply);
    else if (batches === undefined) receive(classify(incoming.items), text, reply);
    else batches(incoming.items, (one, answer) => receive(one, text, answer), reply);
    return outbox.hold(calls?.size() ?? 0);
  }

  function lost(error: LocalError): void {
    report({ kind: "frame_lost", error });
    if (!answersMalformed) return;
    const code = error.code === "FRAME_TOO_LONG" ? rpcCodes.invalidRequest : rpcCodes.parseError;
    reply(encodeError(undefined, { code, message: error.message }));
  }

  const { describe } = await opening;
  const peer: Omit<Peer, "request"> & { readonly request: Ask | undefined } = {
    carrier: "pipe",
    authority,
    partition,
    request: calls?.request,
    notify,
    cancel: calls?.cancel,
    agreed,
    describe,
    closed: closed.signal,
    close: async () => {
      end(new LocalError("CLOSED", "the connection was closed on this side"), false);
      shut();
      await closing;
    },
  };
  return peer;
}

function lostConnection(cause: Error | undefined): LocalError {
  const message = cause ? `the connection was lost: ${cause.message}` : "the other side closed the connection";
  return new LocalError("CLOSED", message, { cause, details: cause instanceof LocalError ? cause.details : undefined });
}
