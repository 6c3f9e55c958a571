import { LocalError, RpcError } from "@parlance/jsonrpc";
import { type OpenStream, type Reader, takeText, unusable } from "../client/answer.js";
import { createBackOff, pause } from "../client/back-off.js";
import { drain } from "../client/drain.js";
import { readEvents, type StreamPosition } from "../client/events.js";
import { isEventStream } from "../client/failure.js";
import type { ClientSession } from "./client-session.js";

/**
 * Opens a stream by GET.
 * @throws LocalError `SESSION_LOST`, and what a refusal stands for
 */
export async function openStream(
  session: ClientSession,
  lastId: string | undefined,
  what: string,
): Promise<OpenStream> {
  const sending = session.get(lastId);
  const reply = await session.taken(sending, what, undefined, lastId !== undefined);
  if (isEventStream(reply)) return { reply, sending };
  await drain(reply, sending);
  throw unusable(what, "no stream of events", reply);
}

/** Whether trying again may help: it is no answer of the server's. */
export function isPassing(error: unknown): boolean {
  if (error instanceof LocalError) return error.code === "UNREACHABLE" || error.code === "CLOSED";
  return !(error instanceof RpcError);
}

/**
 * Keeps the stream open on which a server says what belongs to no request, until the session ends or the server does not
 * offer it. Never rejects.
 * @param missed is called when something may have been said while it was not open
 * @returns `SESSION_LOST` when a server that had given the stream does not know the session any more
 * @see MCP 2025-11-25, basic/transports, listening for messages from the server
 */
export async function listen(
  session: ClientSession,
  reader: Reader,
  missed: () => void,
): Promise<LocalError | undefined> {
  const { ended } = session;
  let isOffered = false;
  const position: StreamPosition = { lastId: undefined, retryMs: undefined };
  const backOff = createBackOff();
  let broke = false;
  const opened = (): void => {
    isOffered = true;
    // from an event with an id on, the server says again what came after it
    if (broke && position.lastId === undefined) missed();
    broke = false;
  };
  const hear = (data: string, isWhole: boolean): void => {
    if (takeText(data, reader, undefined, isWhole)) backOff.succeeded();
  };
  while (!ended.aborted) {
    let fault: unknown;
    try {
      await follow(session, position, reader, opened, hear);
    } catch (error) {
      if (ended.aborted) return undefined;
      fault = error;
      if (!isPassing(error)) {
        // some servers answer 404 to whatever they do not serve
        if (isOffered && error instanceof LocalError && error.code === "SESSION_LOST") return error;
        if (!isUnoffered(error)) reader.report({ kind: "stream_refused", error });
        if (broke) missed();
        return undefined;
      }
    }
    broke = true;
    const retryMs = backOff.next(position.retryMs);
    reader.report({ kind: "stream_broken", error: fault, retryMs });
    try {
      await pause(retryMs, ended);
    } catch {
      return undefined; // the session is over
    }
  }
  return undefined;
}

async function follow(
  session: ClientSession,
  position: StreamPosition,
  reader: Reader,
  opened: () => void,
  hear: (data: string, isWhole: boolean) => void,
): Promise<void> {
  const { sending, reply } = await openStream(session, position.lastId, "the stream of the session");
  opened();
  const { ended } = session;
  ended.addEventListener("abort", sending.abort, { once: true });
  try {
    if (ended.aborted) sending.abort();
    await readEvents(reply, position, reader.maxMessageBytes, hear);
  } finally {
    ended.removeEventListener("abort", sending.abort);
  }
}

/** A server need not offer the stream, and says so by 405. */
function isUnoffered(error: unknown): boolean {
  return error instanceof LocalError && error.details["status"] === 405;
}
