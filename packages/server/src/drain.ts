import { type Exchange, LocalError } from "@parlance/jsonrpc";

/**
 * How long a closing server lets running calls go on before it aborts them.
 * @stable
 */
export const defaultDrainMs = 5_000;

/** How long aborted calls get to clean up before `close` stops waiting for them. */
const cleanupMs = 1_000;

/** The calls that a closing server waits for. */
export interface Drain {
  add(call: Exchange): void;
  delete(call: Exchange): void;
  /** Waits for the calls and aborts those that outlast `drainMs`. @returns how many were aborted */
  empty(drainMs: number): Promise<number>;
}

export function createDrain(): Drain {
  const running = new Set<Exchange>();
  let emptied: (() => void) | undefined;

  function settle(ms: number): Promise<void> {
    if (running.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      emptied = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  return {
    add: (call) => void running.add(call),
    delete: (call) => {
      running.delete(call);
      if (running.size === 0) emptied?.();
    },
    empty: async (drainMs) => {
      await settle(drainMs);
      const late = [...running];
      const reason = new LocalError("CLOSED", `the server closed and waited ${drainMs} ms for this call`);
      for (const call of late) call.stop?.(reason);
      await settle(cleanupMs);
      return late.length;
    },
  };
}
