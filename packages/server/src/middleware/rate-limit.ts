import { AccessError } from "@parlance/jsonrpc";
import type { Call } from "@parlance/protocol-versions";
import type { FeatureMiddleware } from "../feature-set.js";
import { checkCount } from "./check.js";

/**
 * How many calls in what time.
 * @stable
 */
export interface RateLimitOptions {
  /** Calls of one key in a period; so many may also come at once. */
  readonly max: number;
  /** The period in milliseconds. */
  readonly perMs: number;
  /** Whose calls are counted together; `undefined` is not limited. Default: tool calls, by the principal's id. */
  readonly key?: ((call: Call) => string | undefined) | undefined;
  /** A clock in milliseconds that only grows. Default `performance.now`. */
  readonly now?: (() => number) | undefined;
}

/** Keys are looked over for those that are full again whenever so many more are known. */
const sweepEvery = 1000;

/**
 * Refuses calls above a rate with an `AccessError` `RATE_LIMITED` (429 and `Retry-After` over HTTP) that says when the
 * next may come. What was used of it comes back evenly, and a key that has all of it is forgotten.
 * @throws LocalError `INVALID_ARGUMENT` for a number that is none
 * @stable
 */
export function rateLimit(options: RateLimitOptions): FeatureMiddleware {
  const { max, perMs, key = principalOf, now = () => performance.now() } = options;
  checkCount("max", max, 1, "calls");
  checkCount("perMs", perMs, 1, "milliseconds");
  const costMs = perMs / max;
  // Until when what a key has used counts: each call adds its cost to that
  const usedUntil = new Map<string, number>();
  let sweepAt = sweepEvery;

  function sweep(atMs: number): void {
    for (const [name, untilMs] of usedUntil) if (untilMs <= atMs) usedUntil.delete(name);
    sweepAt = usedUntil.size + sweepEvery;
  }

  function take(name: string): void {
    const atMs = now();
    if (usedUntil.size >= sweepAt) sweep(atMs);
    const untilMs = Math.max(usedUntil.get(name) ?? 0, atMs) + costMs;
    const retryAfterMs = Math.ceil(untilMs - atMs - perMs);
    if (retryAfterMs > 0) {
      throw new AccessError("RATE_LIMITED", `${max} calls in ${perMs} ms are the limit`, { retryAfterMs });
    }
    usedUntil.set(name, untilMs);
  }

  return (next) => (call) => {
    const name = key(call);
    if (name !== undefined) take(name);
    return next(call);
  };
}

function principalOf(call: Call): string | undefined {
  return call.method === "tools/call" ? (call.principal?.id ?? "") : undefined;
}
