import { LocalError, RpcError } from "@parlance/jsonrpc";
import { pause } from "@parlance/jsonrpc/abort";
import { type Reader, takeText, unusable } from "../client/answer.js";
import { createBackOff } from "../client/back-off.js";
import { drain } from "../client/drain.js";
import { readEvents, type StreamPosition } from "../client/events.js";
import { isEventStream, isSuccess } from "../client/failure.js";
import type { IncomingReply, Sending } from "../client/wire.js";
import type { ClientSession } from "./client-session.js";

/**
 * The reply to a GET that opens a stream.
 * @param isResumed it is the stream of an earlier request, which was taken
 * @throws LocalError `SESSION_LOST`, and what a refusal stands for
 */
export async function opened(
  session: ClientSession,
  sending: Sending,
  what: string,
  isResumed: boolean,
): Promise<IncomingReply> {
  const reply = await sending.reply;
  if (!isSuccess(reply)) throw await session.refusal(reply, what, undefined, isResumed);
  if (isEventStream(reply)) return reply;
  await drain(reply, sending);
  throw unusable(what, "no stream of events", reply);
}

/** Whether trying again may help: it is no answer of the server's. */
export function isPassing(error: unknown): boolean {
  if (error instanceof LocalError) return error.code === "UNREACHABLE" || error.code === "CLOSED";
  return !(error instanceof RpcError);
}

/**
 * Keeps the stream open on which a server says what belongs to no request, as long as the server offers it. Rejects when
 * the session ends.
 * @param missed is called when something may have been said while it was not open
 * @returns `SESSION_LOST` when a server that had given the stream does not know the session any more
 * @see MCP 2025-11-25, basic/transports, listening for messages from the server
 */
export async function listen(
  session: ClientSession,
  reader: Reader,
  missed: () => void,
): Promise<LocalError | undefined> {
  const position: StreamPosition = { lastId: undefined, retryMs: undefined };
  const backOff = createBackOff();
  let isOffered = false;
  let isBroken = false;
  for (;;) {
    session.ended.throwIfAborted();
    let fault: unknown;
    try {
      const sending = session.get(position.lastId);
      session.listening = sending;
      const reply = await opened(session, sending, "the stream of the session", position.lastId !== undefined);
      isOffered = true;
      // from an event with an id on, the server says again what came after it
      if (isBroken && position.lastId === undefined) missed();
      await readEvents(reply, position, reader.maxMessageBytes, (data, isWhole) => {
        if (takeText(data, reader, undefined, isWhole)) backOff.failures = 0;
      });
    } catch (error) {
      session.ended.throwIfAborted();
      if (!isPassing(error)) {
        const refusal = error instanceof LocalError ? error : undefined;
        // some servers answer 404 to whatever they do not serve
        if (isOffered && refusal?.code === "SESSION_LOST") return refusal;
        // a server need not offer the stream, and says so by 405
        if (refusal?.details["status"] !== 405) reader.report({ kind: "stream_refused", error });
        if (isBroken) missed();
        return undefined;
      }
      fault = error;
    }
    isBroken = true;
    const retryMs = backOff.next(position.retryMs);
    reader.report({ kind: "stream_broken", error: fault, retryMs });
    await pause(retryMs, session.ended);
  }
}
