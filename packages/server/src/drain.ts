import { type Exchange, LocalError } from "@parlance/jsonrpc";
import { longestTimerMs } from "@parlance/jsonrpc/timer";

/**
 * How long a closing server lets running calls go on before it aborts them.
 * @stable
 */
export const defaultDrainMs = 5_000;

/** How long aborted calls get to clean up before `close` stops waiting for them. */
const cleanupMs = 1_000;

/**
 * Waits for running calls and aborts those that outlast `drainMs`.
 * @returns how many were aborted
 */
export async function drain(running: ReadonlyMap<Exchange, Promise<unknown>>, drainMs: number): Promise<number> {
  await within(drainMs, running.values());
  const late = [...running.keys()];
  const reason = new LocalError("CLOSED", `the server closed and waited ${drainMs} ms for this call`);
  for (const call of late) call.stop?.(reason);
  await within(cleanupMs, running.values());
  return late.length;
}

function within(ms: number, calls: Iterable<Promise<unknown>>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, Math.min(ms, longestTimerMs));
    void Promise.allSettled(calls).then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
