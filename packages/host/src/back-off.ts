import { longestTimerMs } from "@parlance/jsonrpc/timer";
import type { RestartSettings } from "./config/entry.js";
import { hostDefaults } from "./defaults.js";

/** Counts tries to start a server again: when the next is due, and when there is none. */
export interface BackOff {
  /** How often in a row it was tried. */
  readonly tries: number;
  /** How long to wait before the next try, which counts; nothing: there is none. */
  next(): number | undefined;
  /** The server is well. */
  reset(): void;
  /** It ran for so long, in milliseconds, before it ended: one that ran for a while did not end because it was started. */
  ran(ms: number): void;
}

/** Begins to count. @param settings `false`: it is never tried again */
export function createBackOff(settings: RestartSettings | false = {}): BackOff {
  const usual = hostDefaults.restart;
  const options = settings === false ? { maxTries: 0 } : settings;
  const { maxTries = usual.maxTries, delayMs = usual.delayMs, maxDelayMs = usual.maxDelayMs } = options;
  let tries = 0;
  return {
    get tries() {
      return tries;
    },
    next: () => {
      if (tries >= maxTries) return undefined;
      tries++;
      return tries === 1 ? 0 : Math.min(maxDelayMs, delayMs * 2 ** (tries - 2));
    },
    reset: () => {
      tries = 0;
    },
    ran: (ms) => {
      if (ms > maxDelayMs) tries = 0;
    },
  };
}

/** Waits, but no longer than until `signal` aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, Math.min(ms, longestTimerMs));
    signal.addEventListener("abort", done);
  });
}
