import type { createCalls } from "./calls.js";
import {
  classify,
  encodeError,
  encodeMessage,
  type Incoming,
  type Malformed,
  malformedBatch,
  parse,
  refusal,
} from "./codec.js";
import { LocalError, rpcCodes } from "./error.js";
import type { Agreed, Connection, Handler, Notify, Peer } from "./handler.js";
import type { RpcNotification } from "./message.js";
import { createOutbox } from "./outbox.js";
import type { Report } from "./report.js";
import { hear, isPromise } from "./respond.js";
import type { createRunning, Reply } from "./running.js";
import type { Channel, Sink } from "./transport.js";

/** How many messages a batch may hold: each bad one costs an answer many times its size. */
const maxBatchMessages = 1_000;
/** How many answers may wait to be drained before reading waits for them whatever else is open. */
const maxUndrainedAnswers = 10_000;

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

/** What a peer is made of: not all need all. */
export interface Parts {
  readonly asking: typeof createCalls;
  readonly answering: typeof createRunning;
}

/** Both directions of one pipe: our calls, and the peer's requests. What the transport reads goes into `sink`. */
export function createPeer(
  channel: Channel,
  handler: Handler,
  options: ConnectOptions,
  { asking, answering }: Parts,
): { peer: Peer; sink: Sink } {
  const answersMalformed = options.malformed !== "report";
  const closed = new AbortController();
  let batches = false;
  /** Set: nothing more comes, and nothing may be asked. */
  let reason: LocalError | undefined;
  /** `false` once answers cannot leave either. A peer that only stopped talking still gets them. */
  let writable = true;
  /** Answers that were sent and are not drained. */
  let undrained = 0;
  let closing: Promise<void> | undefined;

  const outbox = createOutbox(channel);
  const calls = asking({ send: outbox.send, notify, report, opened: outbox.letGo });
  const connection: Connection = { closed: closed.signal, agreed, notify };
  const running = answering({ handler, connection, ask: calls.request, notify, reply, report, idle });

  function report(what: Report): void {
    try {
      const returned: unknown = options.report?.(what);
      if (isPromise(returned)) returned.then(undefined, () => {});
    } catch {
      // a listener that throws must not end the connection, and there is nobody else to tell
    }
  }

  function agreed(to: Agreed): void {
    batches = to.batches;
  }

  function notify(...message: Parameters<Notify>): Promise<void> {
    const sent = sendNotification(...message);
    // whoever does not wait for a notification does not ask what became of it
    sent.catch(() => {});
    return sent;
  }

  async function sendNotification(...message: Parameters<Notify>): Promise<void> {
    if (reason !== undefined) throw reason;
    await outbox.send(encodeMessage(undefined, ...message));
  }

  function reply(text: string | undefined): void {
    if (text === undefined || !writable) return;
    const drained = outbox.send(text);
    if (drained === undefined) return;
    undrained++;
    drained.then(
      () => void undrained--,
      (error: unknown) => {
        undrained--;
        // over a connection that is gone it is no news
        if (reason === undefined) report({ kind: "send_failed", error });
      },
    );
  }

  function receive(incoming: Incoming, text: string, answer: Reply): void {
    switch (incoming.kind) {
      case "request":
        running.start(incoming.message, answer);
        break;
      case "notification":
        receiveNotification(incoming.message);
        answer(undefined);
        break;
      case "response":
        calls.settle(incoming.message);
        answer(undefined);
        break;
      case "batch":
        receiveBatch(incoming.items, text);
        break;
      case "malformed":
        answer(refuse(incoming, text));
        break;
      default:
        incoming satisfies never;
    }
  }

  function receiveNotification(message: RpcNotification): void {
    if (message.method === "notifications/cancelled" && running.cancel(message.params)) return;
    hear(handler, message, connection, report);
  }

  /** Answers come in one array, in the order in which they are ready. */
  function receiveBatch(items: readonly unknown[], text: string): void {
    const fault = batchFault(items, batches);
    if (fault !== undefined) {
      reply(refuse(malformedBatch(fault), text));
      return;
    }
    const answers: string[] = [];
    let open = items.length;
    for (const item of items) {
      receive(classify(item), text, (answer) => {
        if (answer !== undefined) answers.push(answer);
        open--;
        if (open === 0 && answers.length > 0) reply(`[${answers.join(",")}]`);
      });
    }
  }

  /** @returns the error to answer with, if any */
  function refuse(malformed: Malformed, text: string): string | undefined {
    const { meant, id, error } = malformed;
    const mayAnswer = meant === "response" || meant === "unknown";
    if (mayAnswer && calls.fail(id, new LocalError("BAD_REPLY", error.message))) return undefined;
    report({ kind: "malformed", error, text });
    return answersMalformed || (meant === "request" && id !== undefined) ? refusal(malformed) : undefined;
  }

  function end(why: LocalError): void {
    reason = why;
    calls.end(why);
    running.abort(why);
    outbox.letGo();
    closed.abort(why);
    if (!writable || running.size === 0) void shut();
  }

  function idle(): void {
    if (reason !== undefined) void shut();
  }

  function shut(): Promise<void> {
    writable = false;
    closing ??= closeChannel();
    return closing;
  }

  async function closeChannel(): Promise<void> {
    try {
      await channel.close();
    } catch (error) {
      report({ kind: "close_failed", error });
    }
    if (reason !== undefined) outbox.end(reason);
  }

  return {
    peer: {
      carrier: "pipe",
      authority: options.authority,
      partition: options.partition,
      request: calls.request,
      notify,
      cancel: calls.cancel,
      agreed,
      describe: channel.describe,
      closed: closed.signal,
      close: () => {
        writable = false;
        if (reason === undefined) end(new LocalError("CLOSED", "the connection was closed on this side"));
        return shut();
      },
    },
    sink: {
      frame: (text) => {
        if (reason !== undefined) return undefined;
        receive(parse(text), text, reply);
        // the answer to a question of ours would lie behind what is not read; but who never reads must not fill memory
        return calls.size === 0 || undrained >= maxUndrainedAnswers ? outbox.hold() : undefined;
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
    },
  };
}

function batchFault(items: readonly unknown[], allowed: boolean): string | undefined {
  if (!allowed) return "a batch is not allowed here: send one message at a time";
  if (items.length === 0) return "a batch must not be empty";
  if (items.length > maxBatchMessages)
    return `a batch of ${items.length} messages is too long: at most ${maxBatchMessages}`;
  return undefined;
}

function lostConnection(cause: Error | undefined): LocalError {
  if (cause === undefined) return new LocalError("CLOSED", "the other side closed the connection");
  const details = cause instanceof LocalError ? cause.details : undefined;
  return new LocalError("CLOSED", `the connection was lost: ${cause.message}`, { cause, details });
}
