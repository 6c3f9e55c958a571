import { type Dial, type Handler, LocalError, type Peer, type Report, type Sink, unanswered } from "@parlance/jsonrpc";
import { until } from "./abort.js";

/** A connection on which it may not be settled yet who answers the server. */
export interface Line {
  readonly peer: Peer;
  /** Answers the server with this from here on. */
  readonly attach: (handler: Handler) => void;
}

/**
 * Dials. An abort does not stop a dial: what it opens too late is closed.
 * @param asked hears what the server asks
 */
export async function dialLine(
  dial: Dial,
  signal: AbortSignal,
  asked: (method: string) => void,
  report: (report: Report) => void,
  answering: Handler["answering"],
): Promise<Line> {
  signal.throwIfAborted();
  let attached: Handler | undefined;
  const handler = {
    answering,
    // before it is settled what is spoken a response might already be wrong
    request: (message, exchange) => {
      asked(message.method);
      return attached?.request(message, exchange) ?? unanswered;
    },
    notification: (message, connection) => attached?.notification?.(message, connection),
    lost: (error) => attached?.lost?.(error),
    // a transport that was given for a dial tells this when it is closed
    closed: () => {},
  } satisfies Handler & Pick<Sink, "closed">;
  const dialing = Promise.resolve(dial(handler, report));
  try {
    const peer = await until(dialing, signal);
    if (peer?.closed === undefined) {
      throw new LocalError("INVALID_ARGUMENT", "dial made no connection; a transport needs over(transport)");
    }
    return {
      peer,
      attach: (handler) => {
        attached = handler;
      },
    };
  } catch (error) {
    // the caller has the reason; a late connection that cannot be closed is nobody's any more
    void dialing.then((peer) => peer.close()).catch(() => {});
    throw error;
  }
}
