import type { AnswerOptions } from "../outlet.js";
import type { Resumable } from "./resumption.js";

/**
 * How the revisions that open with `initialize` are served.
 * @stable
 */
export interface HandshakeBindingOptions extends AnswerOptions {
  /** How long a session lives that nobody uses. An open stream is use, and so is a call that is waited for. Default 30 minutes. */
  readonly idleMs?: number | undefined;
  /** How long a session lives whatever happens. Default 24 hours. */
  readonly maxAgeMs?: number | undefined;
  /** Sessions a principal may have; all anonymous callers count as one. Default 10,000. */
  readonly maxSessions?: number | undefined;
  /** `resumable(store)`: what was sent is kept, so that broken streams can be resumed. Default: it is not, and they cannot. */
  readonly events?: Resumable | undefined;
  /** The clock, in milliseconds; only differences count. Default `performance.now`. */
  readonly now?: (() => number) | undefined;
}
