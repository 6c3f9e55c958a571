import { AccessError } from "@parlance/jsonrpc";
import { isPromise } from "@parlance/jsonrpc/respond";
import type { Call, Outcome } from "@parlance/protocol-versions";
import type { FeatureMiddleware } from "../feature-set.js";
import { checkCount } from "./check.js";

/**
 * How many calls may run at once.
 * @stable
 */
export interface ConcurrencyLimitOptions {
  /** Calls that run at once, of one key. */
  readonly max: number;
  /** Calls of one key that wait for their turn, first come, first served. Default 0: none waits. */
  readonly maxQueued?: number | undefined;
  /** What the limit is for: calls of one key share it; `undefined` is not limited. Default: all tool calls share one. */
  readonly key?: ((call: Call) => string | undefined) | undefined;
  /** What a refused caller is told to wait, in milliseconds. Default 1,000. */
  readonly retryAfterMs?: number | undefined;
}

interface Lane {
  running: number;
  readonly queue: Set<() => void>;
}

/**
 * Lets so many calls run at once, has so many more wait, and refuses the rest with an `AccessError` `RATE_LIMITED`
 * (429 over HTTP). A call that is cancelled while it waits leaves the queue and never runs.
 * @throws LocalError `INVALID_ARGUMENT` for a number that is none
 * @stable
 */
export function concurrencyLimit(options: ConcurrencyLimitOptions): FeatureMiddleware {
  const { max, maxQueued = 0, key = toolCalls, retryAfterMs = 1000 } = options;
  checkCount("max", max, 1, "calls");
  checkCount("maxQueued", maxQueued, 0, "calls");
  const lanes = new Map<string, Lane>();

  function leave(name: string, lane: Lane): void {
    const [first] = lane.queue;
    if (first !== undefined) {
      first();
      return;
    }
    lane.running -= 1;
    if (lane.running === 0) lanes.delete(name);
  }

  return (next) => (call) => {
    const name = key(call);
    if (name === undefined) return next(call);
    const lane = lanes.get(name) ?? { running: 0, queue: new Set() };
    lanes.set(name, lane);
    const run = (): Outcome | Promise<Outcome> =>
      holding(
        () => next(call),
        () => leave(name, lane),
      );
    if (lane.running < max) {
      lane.running += 1;
      return run();
    }
    if (lane.queue.size >= maxQueued) {
      const message = `${max} calls are running${maxQueued > 0 ? ` and ${maxQueued} are waiting` : ""}, which is the limit`;
      throw new AccessError("RATE_LIMITED", message, { retryAfterMs });
    }
    return turn(lane.queue, call.signal).then(run);
  };
}

function toolCalls(call: Call): string | undefined {
  return call.method === "tools/call" ? "" : undefined;
}

/** Runs, and lets go whatever it comes to. */
function holding(run: () => Outcome | Promise<Outcome>, release: () => void): Outcome | Promise<Outcome> {
  let outcome: Outcome | Promise<Outcome>;
  try {
    outcome = run();
  } catch (error) {
    release();
    throw error;
  }
  if (isPromise(outcome)) return outcome.finally(release);
  release();
  return outcome;
}

/** Settles when it is this call's turn; rejects when it is cancelled before. */
function turn(queue: Set<() => void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      queue.delete(enter);
      signal.removeEventListener("abort", cancel);
    };
    const enter = (): void => {
      leave();
      resolve();
    };
    const cancel = (): void => {
      leave();
      reject(signal.reason);
    };
    if (signal.aborted) return reject(signal.reason);
    queue.add(enter);
    signal.addEventListener("abort", cancel);
  });
}
