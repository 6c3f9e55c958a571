import { derive, type Exchange, LocalError } from "@parlance/jsonrpc";

/**
 * How long a closing server lets running calls go on before it aborts them.
 * @stable
 */
export const defaultDrainMs = 5_000;

/** How long aborted calls get to clean up before `close` stops waiting for them. */
const cleanupMs = 1_000;

/**
 * A call whose signal also aborts when the server gives up on it.
 * A class, since there is one for each request; its signal is made only when somebody looks, and most calls never do.
 */
export class RunningCall {
  readonly exchange: Exchange;
  readonly #caller: Exchange;
  #own: AbortController | undefined;
  #followed: AbortSignal | undefined;

  constructor(caller: Exchange) {
    this.#caller = caller;
    this.exchange = derive(caller, this);
  }

  get signal(): AbortSignal {
    if (this.#own !== undefined) return this.#own.signal;
    this.#own = new AbortController();
    this.#followed = this.#caller.signal;
    if (this.#followed.aborted) this.handleEvent();
    else this.#followed.addEventListener("abort", this, { once: true });
    return this.#own.signal;
  }

  /** The caller's signal aborted. */
  handleEvent(): void {
    this.abort(this.#followed?.reason);
  }

  abort(reason: unknown): void {
    if (!this.signal.aborted) this.#own?.abort(reason);
  }

  /** The caller's signal may outlive the call. */
  end(): void {
    this.#followed?.removeEventListener("abort", this);
  }
}

/** The calls that a closing server waits for. */
export interface Drain {
  add(call: RunningCall): void;
  delete(call: RunningCall): void;
  /** Waits for the calls and aborts those that outlast `drainMs`. @returns how many were aborted */
  empty(drainMs: number): Promise<number>;
}

export function createDrain(): Drain {
  const running = new Set<RunningCall>();
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
      for (const call of late) call.abort(reason);
      await settle(cleanupMs);
      return late.length;
    },
  };
}
