import type { Dial, Handler, Peer } from "./handler.js";
import { createPeer } from "./peer.js";
import type { Report } from "./report.js";
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

/**
 * Opens a transport and lets `handler` answer what comes.
 * A transport that closed at once gives a peer whose `closed` is aborted.
 * @throws what the transport throws when it cannot be opened
 * @stable
 */
export async function connect(transport: Transport, handler: Handler, options: ConnectOptions = {}): Promise<Peer> {
  const { authority, partition, report, malformed } = options;
  const early = holdBack();
  try {
    const channel = await transport(early.sink);
    const { peer, sink } = createPeer(channel, handler, {
      authority,
      partition,
      report: report === undefined ? () => {} : quiet(report),
      answersMalformed: malformed !== "report",
    });
    early.passTo(sink);
    return peer;
  } finally {
    early.open();
  }
}

/**
 * The same from the asking side: a `Dial` opens the transport each time it is called.
 * @stable
 */
export function over(transport: Transport, options: ConnectOptions = {}): Dial {
  return (handler) => connect(transport, handler, { malformed: "report", ...options });
}

/** A listener that throws must not end the connection. */
function quiet(report: (report: Report) => void): (report: Report) => void {
  return (what) => {
    try {
      report(what);
    } catch {
      // there is nobody to tell
    }
  };
}

/** Keeps what a transport delivers before it has returned its channel. */
function holdBack(): { sink: Sink; passTo(sink: Sink): void; open(): void } {
  const kept: ((sink: Sink) => void)[] = [];
  let target: Sink | undefined;
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return {
    sink: {
      frame: (text) => {
        if (target !== undefined) return target.frame(text);
        kept.push((sink) => void sink.frame(text));
        return opened;
      },
      lost: (error) => {
        if (target !== undefined) target.lost(error);
        else kept.push((sink) => sink.lost(error));
      },
      closed: (cause) => {
        if (target !== undefined) target.closed(cause);
        else kept.push((sink) => sink.closed(cause));
      },
    },
    passTo: (sink) => {
      // what comes meanwhile is kept behind these
      for (const deliver of kept) deliver(sink);
      target = sink;
    },
    open,
  };
}
