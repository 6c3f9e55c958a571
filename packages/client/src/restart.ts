import { createKeeper } from "./keeper.js";
import type { Keep } from "./upkeep.js";

/**
 * How a server that ended is started again, when the next call needs it.
 * @stable
 */
export interface RestartOptions {
  /** How often in a row, without a call that succeeds in between. Default 5. */
  readonly maxTries?: number | undefined;
  /** The wait before the second try, in milliseconds; it doubles from try to try. Default 250. */
  readonly delayMs?: number | undefined;
  /** The longest wait, in milliseconds. Default 10,000. */
  readonly maxDelayMs?: number | undefined;
}

/**
 * What `restarting` gives, for `connectClient`.
 * @stable
 */
export interface Restarting {
  /** Sees to it. */
  readonly keep: Keep;
}

/**
 * Starts a server that ended again, when the next call needs it: `connectClient({ restart: restarting(), … })`. It also
 * lets a call be made again whose answer was lost, where its caller allows that by `rerun`.
 * @see MCP 2026-07-28, basic/transports/stdio
 * @stable
 */
export function restarting(options: RestartOptions = {}): Restarting {
  const { maxTries = 5, delayMs = 250, maxDelayMs = 10_000 } = options;
  return { keep: (setup, first) => createKeeper(setup, first, { maxTries, delayMs, maxDelayMs }) };
}
