import { httpClientDefaults } from "./options.js";

/** Timers take no longer wait. */
const longestTimerMs = 2_147_483_647;
/** The share by which a wait may be longer, so that clients that lost a server at once do not return at once. */
const jitter = 0.1;

/** How long a stream waits before it is opened again. */
export interface BackOff {
  /** How many openings in a row came to nothing. */
  readonly failures: number;
  /** @param retryMs what the server asks for: it is never less */
  next(retryMs: number | undefined): number;
  /** Something came of the last one. */
  succeeded(): void;
}

/** The first wait is what the server asks for; the next ones double, whatever it asks for. */
export function createBackOff(random: () => number = Math.random): BackOff {
  const { reconnectMs, maxReconnectMs } = httpClientDefaults;
  let failures = 0;
  return {
    get failures() {
      return failures;
    },
    next: (retryMs) => {
      const own = Math.min(maxReconnectMs, reconnectMs * 2 ** failures);
      const waitMs = failures === 0 ? (retryMs ?? own) : Math.max(retryMs ?? 0, own);
      failures++;
      return Math.min(longestTimerMs, Math.ceil(waitMs * (1 + jitter * random())));
    },
    succeeded: () => {
      failures = 0;
    },
  };
}

/** Waits; rejects with the signal's reason when it aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal.addEventListener("abort", stop, { once: true });
  });
}
