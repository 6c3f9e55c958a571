import type { Batches, Reply } from "./batch.js";
import type { createCalls } from "./calls.js";
import { type Classified, classify, encodeError, encodeMessage, type Malformed, parse, refusal } from "./codec.js";
import { LocalError, rpcCodes } from "./error.js";
import type { Agreed, Ask, Connection, Handler, Notify, Peer } from "./handler.js";
import type { RpcNotification, RpcRequest } from "./message.js";
import { createOutbox } from "./outbox.js";
import type { Report } from "./report.js";
import { alone, hear, respond } from "./respond.js";
import type { createRunning } from "./running.js";
import type { Channel, Sink } from "./transport.js";

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

/** A peer whose channel is yet to come. */
export interface NewPeer {
  /** Takes what the transport reads, also before the channel is there. */
  readonly sink: Sink;
  readonly begin: (channel: Channel) => Promise<Omit<Peer, "request"> & { readonly request: Ask | undefined }>;
}

/** Both directions of one pipe: our calls, and the peer's requests. */
export function createPeer(handler: Handler, options: ConnectOptions, { asking, answering }: Parts): NewPeer {
  const { authority, partition } = options;
  const answersMalformed = options.malformed !== "report";
  const closed = new AbortController();
  const outbox = createOutbox();
  let batches: Batches | undefined;
  /** Set: nothing more comes, and nothing may be asked. */
  let reason: LocalError | undefined;
  /** `false` once answers cannot leave either. A peer that only stopped talking still gets them. */
  let writable = true;
  let closing: Promise<void> | undefined;

  const calls = asking?.({ send: outbox.send, notify, report, opened: outbox.letGo });
  const connection: Connection = { closed: closed.signal, agreed, notify };
  const running = answering?.({ handler, connection, ask: calls?.request, notify, report });

  function report(what: Report): void {
    // a listener that throws must not end the connection, and there is nobody else to tell
    alone(() => options.report?.(what), ignore);
  }

  function agreed(to: Agreed): void {
    batches = to.batches;
  }

  function notify(...message: Parameters<Notify>): Promise<void> {
    const sent = sendNotification(...message);
    // whoever does not wait for a notification does not ask what became of it
    sent.catch(ignore);
    return sent;
  }

  async function sendNotification(...message: Parameters<Notify>): Promise<void> {
    if (reason !== undefined) throw reason;
    await outbox.send(encodeMessage(undefined, ...message));
  }

  function reply(text: string | undefined): void {
    if (text === undefined || !writable) return;
    outbox.send(text)?.catch((error: unknown) => {
      // over a connection that is gone it is no news
      if (reason === undefined) report({ kind: "send_failed", error });
    });
  }

  function receive(incoming: Classified, text: string, answer: Reply): void {
    switch (incoming.kind) {
      case "request":
        answerTo(incoming.message, answer);
        break;
      case "notification":
        receiveNotification(incoming.message);
        break;
      case "response":
        if (calls === undefined) report({ kind: "stray_response", response: incoming.message });
        else calls.settle(incoming.message);
        break;
      case "malformed":
        answer(refuse(incoming, text));
        break;
      default:
        incoming satisfies never;
    }
  }

  function answerTo(message: RpcRequest, answer: Reply): void {
    if (running !== undefined) running.start(message, answer);
    else respond(handler, message, { connection, signal: closed.signal, notify }, report, answer);
  }

  function receiveNotification(message: RpcNotification): void {
    if (message.method === "notifications/cancelled" && running?.cancel(message.params)) return;
    hear(handler, message, connection, report);
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

  function end(why: LocalError): void {
    reason = why;
    calls?.end(why);
    outbox.letGo();
    closed.abort(why);
    running?.end(why, shut);
    if (!writable || !running) shut();
  }

  function shut(): void {
    writable = false;
    closing ??= outbox.close(reason).catch((error: unknown) => report({ kind: "close_failed", error }));
  }

  const sink: Sink = {
    frame: (text) => {
      if (reason !== undefined) return undefined;
      const incoming = parse(text);
      if (incoming.kind !== "batch") receive(incoming, text, reply);
      else if (batches === undefined) receive(classify(incoming.items), text, reply);
      else batches(incoming.items, (one, answer) => receive(one, text, answer), reply);
      return outbox.hold(calls?.size ?? 0);
    },
    lost: (error) => {
      report({ kind: "frame_lost", error });
      if (!answersMalformed) return;
      const code = error.code === "FRAME_TOO_LONG" ? rpcCodes.invalidRequest : rpcCodes.parseError;
      reply(encodeError(undefined, { code, message: error.message }));
    },
    closed: (cause) => {
      if (reason !== undefined) return;
      writable = cause === undefined;
      end(lostConnection(cause));
    },
  };

  return {
    sink,
    begin: async (channel) => {
      await outbox.attach(channel);
      return {
        carrier: "pipe",
        authority,
        partition,
        request: calls?.request,
        notify,
        cancel: calls?.cancel,
        agreed,
        describe: channel.describe,
        closed: closed.signal,
        close: async () => {
          writable = false;
          if (reason === undefined) end(new LocalError("CLOSED", "the connection was closed on this side"));
          shut();
          await closing;
        },
      };
    },
  };
}

function ignore(): void {}

function lostConnection(cause: Error | undefined): LocalError {
  if (cause === undefined) return new LocalError("CLOSED", "the other side closed the connection");
  const details = cause instanceof LocalError ? cause.details : undefined;
  return new LocalError("CLOSED", `the connection was lost: ${cause.message}`, { cause, details });
}
