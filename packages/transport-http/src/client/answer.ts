import { LocalError, type RpcNotification, type RpcRequest } from "@parlance/jsonrpc";
import { type Classified, classify, parse } from "@parlance/jsonrpc/codec";
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

/** A stream that is open. */
export interface OpenStream {
  readonly reply: IncomingReply;
  readonly sending: Sending;
}

/** Reads the answer to a call from a reply that is one JSON text. */
export async function readJsonAnswer(reply: IncomingReply, call: Call, reader: Reader): Promise<void> {
  const type = reply.header("content-type");
  const text = await readText(reply, reader.maxMessageBytes).catch((error: unknown) => {
    const isForeign = error instanceof LocalError && error.code === "BAD_FRAME";
    throw isForeign ? unusable(call.method, "a body that is not UTF-8", reply) : answerLost(call, error);
  });
  if (type !== undefined && !/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    throw unusable(call.method, `the content type ${JSON.stringify(type)}`, reply);
  }
  if (text.trim() === "") throw unusable(call.method, "an empty body", reply);
  takeText(text, reader, call);
  if (call.open) throw unusable(call.method, "a message that is no answer to it", reply);
}

/**
 * Reads a stream of events in which the answer to a call is expected, to its end. Whatever comes after the answer is
 * ignored, and what does not end then is cut: a stream that ends leaves its connection for the next request.
 */
export async function readEventAnswer(
  { reply, sending }: OpenStream,
  call: Call,
  reader: Reader,
  position: StreamPosition,
): Promise<void> {
  let linger: ReturnType<typeof setTimeout> | undefined;
  call.onEnd = () => {
    linger = setTimeout(sending.abort, lingerMs);
  };
  try {
    await readEvents(reply, position, reader.maxMessageBytes, (data, isWhole) => {
      // what is cut short may come again, where the stream can be gone on with
      if (call.open) takeText(data, reader, call, isWhole || position.lastId === undefined);
    });
  } finally {
    clearTimeout(linger);
    call.onEnd = undefined;
  }
}

/**
 * Takes the messages in a text.
 * @param call to which the text belongs
 * @param isWhole it is not cut short, so what cannot be read is the server's fault
 * @returns whether there were any
 */
export function takeText(text: string, reader: Reader, call?: Call, isWhole = true): boolean {
  const { report } = reader;
  const take = (one: Classified): boolean => {
    if (one.kind === "response") {
      if (call?.settle(one.message) !== true) report({ kind: "stray_response", response: one.message });
    } else if (one.kind !== "malformed") {
      reader.hear(one.message);
    } else if (isWhole) {
      const { meant, id = call?.id, error } = one;
      const isAnswer = (meant === "response" || meant === "unknown") && id === call?.id;
      if (!isAnswer || call === undefined) report({ kind: "malformed", error, text });
      else call.reject(new LocalError("BAD_REPLY", `${call.method} was answered with no message: ${error.message}`));
    }
    return one.kind !== "malformed";
  };
  const incoming = parse(text);
  if (incoming.kind !== "batch") return take(incoming);
  if (!reader.batches) return take(classify(incoming.items));
  return incoming.items.map((item) => take(classify(item))).includes(true);
}

/** The error for a server that answered, but not what was asked. */
export function unusable(what: string, how: string, { status }: IncomingReply): LocalError {
  return new LocalError("BAD_REPLY", `${what} was answered with HTTP ${status} and ${how}`, { details: { status } });
}

/** The error for an answer whose stream is over before it. */
export function answerLost({ method }: Call, cause: unknown): LocalError {
  if (cause instanceof LocalError && cause.code !== "CLOSED") return cause;
  const [code, how] = cause === undefined ? (["BAD_REPLY", "ended"] as const) : (["CLOSED", "broke"] as const);
  return new LocalError(code, `the answer to ${method} ${how} before it was whole; it may have been carried out`, {
    cause,
    details: { delivered: true },
  });
}
