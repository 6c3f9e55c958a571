import { LocalError, type RpcNotification, type RpcRequest } from "@parlance/jsonrpc";
import { type Classified, classify, parse } from "@parlance/jsonrpc/codec";
import { isMediaType } from "../media-type.js";
import { eventStream } from "../sse.js";
import type { Call } from "./calls.js";
import { lingerMs } from "./drain.js";
import { readEvents, type StreamPosition } from "./events.js";
import { readText } from "./failure.js";
import type { HttpClientReport } from "./report.js";
import type { IncomingReply, Sending } from "./wire.js";

/** What is done with messages that come back. */
export interface Reader {
  readonly maxMessageBytes: number;
  /** Whether several messages may come in one array. */
  readonly batches: boolean;
  /** Takes what is no response. */
  readonly hear: (message: RpcRequest | RpcNotification) => void;
  readonly report: (report: HttpClientReport) => void;
}

/** Whether a reply is a stream of events. */
export function isEventStream(reply: IncomingReply): boolean {
  return isMediaType(reply.header("content-type") ?? null, eventStream);
}

/** Reads the answer to a call from a reply that is one JSON text. */
export async function readJsonAnswer(reply: IncomingReply, call: Call, what: string, reader: Reader): Promise<void> {
  const type = reply.header("content-type");
  if (type !== undefined && !/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    // read, so that its connection can be used again
    await readText(reply, reader.maxMessageBytes).catch(() => "");
    throw unusable(what, `HTTP ${reply.status} and the content type ${JSON.stringify(type)}`, reply);
  }
  const text = await readText(reply, reader.maxMessageBytes).catch((error: unknown) => {
    const isForeign = error instanceof LocalError && error.code === "BAD_FRAME";
    throw isForeign ? unusable(what, "a body that is not UTF-8", reply) : answerLost(what, error);
  });
  if (text.trim() === "") throw unusable(what, `HTTP ${reply.status} and an empty body`, reply);
  take(text, call, what, reader);
  if (call.open) throw unusable(what, "a message that is no answer to it", reply);
}

/**
 * Reads a stream of events in which the answer to a call is expected, to its end. Whatever comes after the answer is
 * ignored, and what does not end then is cut.
 */
export async function readEventAnswer(
  { reply, sending }: { readonly reply: IncomingReply; readonly sending: Sending },
  call: Call,
  what: string,
  reader: Reader,
  position: StreamPosition,
): Promise<void> {
  let linger: ReturnType<typeof setTimeout> | undefined;
  call.onEnd = () => {
    linger = setTimeout(sending.abort, lingerMs);
  };
  try {
    await readEvents(reply, position, reader.maxMessageBytes, (data, isWhole) => {
      if (call.open) take(data, call, what, reader, isWhole || position.lastId === undefined);
    });
  } finally {
    clearTimeout(linger);
    call.onEnd = undefined;
  }
}

/** @param isWhole it may not be cut short, so what cannot be read is the server's fault */
function take(text: string, call: Call, what: string, reader: Reader, isWhole = true): void {
  const incoming = parse(text);
  if (incoming.kind !== "batch") takeOne(incoming, text, call, what, reader, isWhole);
  else if (reader.batches)
    for (const item of incoming.items) takeOne(classify(item), text, call, what, reader, isWhole);
  else call.reject(new LocalError("BAD_REPLY", `${what} was answered with a batch, which this session does not allow`));
}

function takeOne(incoming: Classified, text: string, call: Call, what: string, reader: Reader, isWhole: boolean): void {
  switch (incoming.kind) {
    case "response":
      if (!call.settle(incoming.message)) reader.report({ kind: "stray_response", response: incoming.message });
      break;
    case "request":
    case "notification":
      reader.hear(incoming.message);
      break;
    case "malformed": {
      if (!isWhole) break;
      const { meant, id, error } = incoming;
      const isAnswer = (meant === "response" || meant === "unknown") && (id === undefined || id === call.id);
      if (isAnswer)
        call.reject(new LocalError("BAD_REPLY", `${what} was answered with no valid message: ${error.message}`));
      else reader.report({ kind: "malformed", error, text });
      break;
    }
    default:
      incoming satisfies never;
  }
}

/** The error for a server that answered, but not what was asked. */
export function unusable(what: string, how: string, { status }: IncomingReply): LocalError {
  return new LocalError("BAD_REPLY", `${what} was answered with ${how}`, { details: { status } });
}

/** The error for an answer whose stream is over before it. */
export function answerLost(what: string, cause?: unknown): LocalError {
  if (cause instanceof LocalError && cause.code !== "CLOSED") return cause;
  return cause === undefined
    ? new LocalError("BAD_REPLY", `the stream of ${what} ended before its answer; it may have been carried out`)
    : new LocalError("CLOSED", `the connection broke before ${what} was answered; it may have been carried out`, {
        cause,
      });
}
