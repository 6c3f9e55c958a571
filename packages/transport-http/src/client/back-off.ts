import { longestTimerMs } from "@parlance/jsonrpc/timer";
import { httpClientDefaults } from "./options.js";

/** The share by which a wait may be longer, so that clients that lost a server at once do not return at once. */
const jitter = 0.1;

/** How long a stream waits before it is opened again. */
export interface BackOff {
  /** How many openings in a row came to nothing. To be set to 0 when something came of one. */
  failures: number;
  /**
   * The first wait is what the server asks for; the next ones double, whatever it asks for.
   * @param retryMs what the server asks for: it is never less
   */
  next(retryMs: number | undefined): number;
}

/** Waits as `httpClientDefaults` says, and a little longer. */
export function createBackOff(): BackOff {
  const { minReconnectMs, reconnectMs, maxReconnectMs } = httpClientDefaults;
  return {
    failures: 0,
    next(retryMs) {
      const own = Math.min(maxReconnectMs, reconnectMs * 2 ** this.failures);
      const waitMs = this.failures === 0 ? (retryMs ?? own) : Math.max(retryMs ?? 0, own);
      this.failures++;
      return Math.min(longestTimerMs, Math.ceil(Math.max(minReconnectMs, waitMs) * (1 + jitter * Math.random())));
    },
  };
}
