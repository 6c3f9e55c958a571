import type { EventStore } from "./event-store.js";

/**
 * How the revisions that open with `initialize` are served.
 * @stable
 */
export interface HandshakeBindingOptions {
  /**
   * `false`: no session is opened, and each POST stands for itself: nothing is remembered of a client, it cannot be asked
   * anything, and it hears nothing but answers. Default `true`.
   */
  readonly sessions?: boolean | undefined;
  /** How long a session lives that nobody uses. An open stream is use, and so is a call that is waited for. Default 30 minutes. */
  readonly idleMs?: number | undefined;
  /** How long a session lives whatever happens. Default 24 hours. */
  readonly maxAgeMs?: number | undefined;
  /** Sessions a principal may have; all anonymous callers count as one. Default 10,000. */
  readonly maxSessions?: number | undefined;
  /** Keeps what was sent, so that broken streams can be resumed. Default: none, and they cannot. */
  readonly events?: EventStore | undefined;
  /** `"auto"`: as JSON if nothing was said before the result, else as a stream. `"stream"`: as a stream to whoever takes one. */
  readonly answers?: "auto" | "stream" | undefined;
  /**
   * How often a comment goes out on a stream that is silent. A call that says nothing for twice this time is answered as
   * a stream, so that nothing in between cuts it. Default 15,000.
   */
  readonly keepAliveMs?: number | undefined;
  /** How much may wait for a reader that does not read before its stream is cut, in characters. Default 4 Mi. */
  readonly maxQueued?: number | undefined;
  /** The clock, in milliseconds; only differences count. Default `performance.now`. */
  readonly now?: (() => number) | undefined;
}
