import { LocalError } from "@parlance/jsonrpc";
import { type Classified, classify, parse } from "@parlance/jsonrpc/codec";
import { isEventStream, type Reader, unusable } from "../client/answer.js";
import { createBackOff, pause } from "../client/back-off.js";
import { drain } from "../client/drain.js";
import { readEvents, type StreamPosition } from "../client/events.js";
import { failure, isSuccess } from "../client/failure.js";
import type { IncomingReply, Sending } from "../client/wire.js";
import type { ClientSession } from "./client-session.js";

/** A stream that is open. */
export interface OpenStream {
  readonly reply: IncomingReply;
  readonly sending: Sending;
}

/**
 * Opens a stream by GET; `ended` cuts it.
 * @throws LocalError `SESSION_LOST`, and what a refusal stands for
 */
export async function openStream(
  session: ClientSession,
  lastId: string | undefined,
  what: string,
): Promise<OpenStream> {
  const sending = session.get(lastId);
  const reply = await sending.reply;
  const lost = session.lost(reply, what, lastId !== undefined);
  if (lost === undefined && isSuccess(reply) && isEventStream(reply)) return { reply, sending };
  if (lost === undefined && !isSuccess(reply)) throw await failure(reply, what);
  await drain(reply, sending);
  throw lost ?? unusable(what, "no stream of events", reply);
}

/** Whether trying again may help. */
export function isPassing(error: unknown): boolean {
  return error instanceof LocalError && (error.code === "UNREACHABLE" || error.code === "CLOSED");
}

/** What goes wrong with a stream is a matter of the connection, unless it says itself what it is. */
export function broken(cause: unknown): LocalError {
  if (cause instanceof LocalError) return cause;
  const why = cause instanceof Error ? cause.message : String(cause);
  return new LocalError("CLOSED", `the stream broke: ${why}`, { cause });
}

/**
 * Keeps the stream open on which a server says what belongs to no request, until the session ends or the server does not
 * offer it.
 * @see MCP 2025-11-25, basic/transports, listening for messages from the server
 */
export async function listen(session: ClientSession, reader: Reader): Promise<void> {
  const { ended } = session;
  const position: StreamPosition = { lastId: undefined, retryMs: undefined };
  const backOff = createBackOff();
  const hear = (data: string, isWhole: boolean): void => {
    if (hearOne(data, reader, isWhole)) backOff.succeeded();
  };
  while (!ended.aborted) {
    let fault: unknown;
    try {
      await follow(session, position, reader, hear);
    } catch (error) {
      if (ended.aborted) return;
      fault = error;
      if (!isPassing(error)) {
        if (!isUnoffered(error)) reader.report({ kind: "stream_refused", error });
        return;
      }
    }
    const retryMs = backOff.next(position.retryMs);
    reader.report({ kind: "stream_broken", error: fault, retryMs });
    try {
      await pause(retryMs, ended);
    } catch {
      return; // the session is over
    }
  }
}

async function follow(
  session: ClientSession,
  position: StreamPosition,
  reader: Reader,
  hear: (data: string, isWhole: boolean) => void,
): Promise<void> {
  const { sending, reply } = await openStream(session, position.lastId, "the stream of the session");
  const { ended } = session;
  ended.addEventListener("abort", sending.abort, { once: true });
  try {
    if (ended.aborted) sending.abort();
    await readEvents(reply, position, reader.maxMessageBytes, hear);
  } catch (error) {
    throw broken(error);
  } finally {
    ended.removeEventListener("abort", sending.abort);
  }
}

/** A server need not offer the stream, and says so by 405. */
function isUnoffered(error: unknown): boolean {
  return error instanceof LocalError && error.details["status"] === 405;
}

/** @returns whether it was a message */
function hearOne(data: string, reader: Reader, isWhole: boolean): boolean {
  const incoming = parse(data);
  if (incoming.kind !== "batch") return hearMessage(incoming, data, reader, isWhole);
  if (!reader.batches) return hearMessage(classify(incoming.items), data, reader, isWhole);
  return incoming.items.map((item) => hearMessage(classify(item), data, reader, isWhole)).includes(true);
}

function hearMessage(incoming: Classified, text: string, reader: Reader, isWhole: boolean): boolean {
  switch (incoming.kind) {
    case "request":
    case "notification":
      reader.hear(incoming.message);
      return true;
    case "response":
      reader.report({ kind: "stray_response", response: incoming.message });
      return true;
    case "malformed":
      if (isWhole) reader.report({ kind: "malformed", error: incoming.error, text });
      return false;
    default:
      return incoming satisfies never;
  }
}
