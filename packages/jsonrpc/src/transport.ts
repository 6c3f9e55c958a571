import type { LocalError } from "./error.js";

/**
 * Where a transport delivers what it reads. It exists before the first byte, so nothing is lost.
 * @stable
 */
export interface Sink {
  /**
   * Takes one frame: the text of one JSON-RPC message, or of a batch where the session allows it.
   * A returned promise asks the transport to stop reading until it settles: replies are not drained yet.
   */
  frame(text: string): void | Promise<void>;
  /** Takes the reason why a frame could not be delivered (too long, not UTF-8). The connection lives on. */
  lost(error: LocalError): void;
  /** Says once that nothing more will come. `cause` is absent when the peer, or we, closed in good order. */
  closed(cause?: Error | undefined): void;
}

/**
 * The sending half of a transport.
 * @stable
 */
export interface Channel {
  /** Sends one frame. Nothing returned: taken. A promise: taken, but not drained until it settles; it rejects when the frame cannot be sent. */
  send(text: string): void | Promise<void>;
  /** Ends the connection and settles when everything it held is released. Idempotent. */
  close(): Promise<void>;
  /** Says `what` of the other side as an error that names it, with what else is known of it: a command, its stderr. */
  readonly describe?: ((what: string) => LocalError) | undefined;
}

/**
 * A way to move text frames, one message a frame, in order. This is all that a custom transport implements.
 * @stable
 */
export type Transport = (sink: Sink) => Channel | Promise<Channel>;
