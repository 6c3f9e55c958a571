import { LocalError, type Peer, type RequestId } from "@parlance/jsonrpc";
import type { CallOptions, LogLevel, Meta } from "@parlance/protocol-versions";
import { follow } from "./abort.js";
import { alone } from "./alone.js";
import type { NextRound } from "./inner.js";
import { checkMs } from "./option.js";

/**
 * What a cache is for in a request: `use` it, if it has an answer that is fresh; `refresh` it, with an answer of the
 * server's; or `bypass` it, which leaves it as it is.
 * @stable
 */
export type CacheUse = "use" | "refresh" | "bypass";

/**
 * How one request is made.
 * @stable
 */
export interface RequestOptions {
  /** Ends the wait: the promise rejects with the signal's reason, and the server is told. */
  readonly signal?: AbortSignal | undefined;
  /** How long to wait for an answer, or for progress since the last. More than 24 days: for ever. Default: the client's. */
  readonly timeoutMs?: number | undefined;
  /** How long to wait in all, whatever the progress. Default: the client's. */
  readonly maxTotalMs?: number | undefined;
  /** When that began, in the time of `performance.now()`, for a request that is a part of something longer. Default: now. */
  readonly since?: number | undefined;
  /** Hears progress, before the promise settles and never after. */
  readonly onProgress?: CallOptions["onProgress"];
  /** The least severe log message wanted for this request. Servers that shake hands have one level for all instead. */
  readonly logLevel?: LogLevel | undefined;
  /** What intermediaries route the request by: HTTP sends it as `Mcp-Name`. What the protocol names itself needs none. */
  readonly routedBy?: string | undefined;
  /** What the client's cache is for, if it has one. Default `use`. */
  readonly cache?: CacheUse | undefined;
  /** Sent as `_meta`: `meta({ traceparent })`. The protocol's own keys cannot be set. */
  readonly meta?: Meta | undefined;
  /**
   * Calls a tool once more when the server ends, or its connection, before it has answered; only by a client with `restart`,
   * and for tools that the last `listTools` gave as read-only or idempotent. Default `false`: the lost call is an error.
   */
  readonly rerun?: boolean | undefined;
}

/** What all requests of a client have in common. */
export interface WaitingDefaults {
  readonly timeoutMs: number;
  readonly maxTotalMs: number;
  /** The least severe log message wanted for a request that does not say. */
  logLevel?: LogLevel | undefined;
  /** Hears what a callback of the caller's threw. */
  readonly failed: (error: unknown) => void;
}

/** Makes the reason to give up of the time that is over, in words, and of the times that there were. */
export type Late = (within: string, times: { readonly timeoutMs: number; readonly maxTotalMs: number }) => unknown;

export function noAnswerTo(method: string): Late {
  return (within, times) =>
    new LocalError("TIMEOUT", `no answer to ${method} within ${within}`, { details: { method, ...times } });
}

/** `setTimeout` takes no more. */
export const longestTimerMs = 2_147_483_647;

/**
 * One request while it waits: what the session and the peer are told of it, and its time. It makes no signal unless
 * somebody needs one, since each call makes one of these.
 * @see MCP 2026-07-28, basic/patterns/cancellation, timeouts
 */
export interface Waiting
  extends Omit<CallOptions, keyof NextRound>,
    NextRound,
    Pick<RequestOptions, "cache" | "rerun"> {
  /** For peers that take back a request by a signal only. */
  signal?: AbortSignal | undefined;
  capabilities?: CallOptions["capabilities"];
  /** Says which peer the request goes to. */
  goesTo(peer: Peer): void;
  started(id: RequestId): void;
  /** Nobody waits any more. */
  end(): void;
}

/**
 * @param late makes the reason to give up when the time is over
 * @throws LocalError `INVALID_ARGUMENT`; and the reason of a signal that is already aborted
 */
export function createWaiting(options: RequestOptions, defaults: WaitingDefaults, late: Late): Waiting {
  const {
    signal,
    timeoutMs = defaults.timeoutMs,
    maxTotalMs = Math.max(timeoutMs, defaults.maxTotalMs),
    since = performance.now(),
    onProgress,
    logLevel = defaults.logLevel,
    routedBy,
    cache,
    rerun,
  } = options;
  signal?.throwIfAborted();
  checkMs("timeoutMs", timeoutMs);
  checkMs("maxTotalMs", maxTotalMs);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let controller: AbortController | undefined;
  let over: { readonly reason: unknown } | undefined;
  let peer: Peer | undefined;
  let id: RequestId | undefined;

  function giveUp(reason: unknown): void {
    over = { reason };
    controller?.abort(reason);
    if (id !== undefined) peer?.cancel?.(id, reason);
  }

  function extend(ms: number = timeoutMs): void {
    clearTimeout(timer);
    const leftMs = since + maxTotalMs - performance.now();
    const waitMs = Math.min(ms, leftMs);
    if (over !== undefined || waitMs > longestTimerMs) return;
    timer = setTimeout(() => {
      giveUp(late(ms < leftMs ? `${ms} ms` : `${maxTotalMs} ms in all`, { timeoutMs, maxTotalMs }));
    }, waitMs);
  }

  function hear(...progress: Parameters<NonNullable<typeof onProgress>>): void {
    extend();
    void alone(() => onProgress?.(...progress), defaults.failed);
  }

  const unlink = signal && follow(signal, giveUp);
  extend();
  return {
    logLevel,
    routedBy,
    cache,
    rerun,
    // also without a callback of the caller's, so that progress is asked for and extends the time
    onProgress: onProgress !== undefined || timeoutMs < maxTotalMs ? hear : undefined,
    get aborted() {
      controller ??= new AbortController();
      if (over !== undefined) controller.abort(over.reason);
      return controller.signal;
    },
    goesTo(to) {
      peer = to;
      // ids begin anew with each peer
      id = undefined;
      if (to.cancel === undefined) this.signal = this.aborted;
    },
    started: (its) => {
      if (over !== undefined) throw over.reason;
      id = its;
    },
    extend,
    end: () => {
      over ??= { reason: undefined };
      unlink?.();
      clearTimeout(timer);
    },
  };
}
