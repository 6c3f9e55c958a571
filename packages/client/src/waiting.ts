import { LocalError, type Peer, type RequestId } from "@parlance/jsonrpc";
import { follow } from "@parlance/jsonrpc/abort";
import { alone } from "@parlance/jsonrpc/respond";
import type { CallOptions, InputResponses, LogLevel, Meta } from "@parlance/protocol-versions";
import type { Deadline, Deadlines } from "./deadlines.js";
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
  /** How long to wait for an answer, or for progress since the last. `Infinity`: for ever. Default: the client's. */
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
  readonly deadlines: Deadlines;
  /** The least severe log message wanted for a request that does not say. */
  logLevel?: LogLevel | undefined;
  /** Hears what a callback of the caller's threw. */
  readonly failed: (error: unknown) => void;
}

/**
 * What the next round of a request is sent with.
 * @experimental
 */
export interface NextRound {
  inputResponses?: InputResponses | undefined;
  requestState?: string | undefined;
  /** Aborts when nobody waits for the request any more. */
  readonly aborted: AbortSignal;
  /** Gives the server so many milliseconds anew, as far as there are so many in all. Default: what it has for one message. */
  extend(ms?: number): void;
}

/**
 * One request while it waits: what the session and the peer are told of it, and its time. A class without a signal of its
 * own, since each call makes one.
 * @see MCP 2026-07-28, basic/patterns/cancellation, timeouts
 */
export class Waiting implements Deadline, NextRound {
  declare readonly logLevel: LogLevel | undefined;
  declare readonly routedBy: string | undefined;
  declare readonly cache: CacheUse | undefined;
  declare readonly rerun: boolean | undefined;
  declare readonly onProgress: CallOptions["onProgress"];
  /** For peers that take back a request by a signal only. */
  declare signal: AbortSignal | undefined;
  /** What the next round brings. Most requests have no other, and no such members. */
  declare inputResponses: InputResponses | undefined;
  declare requestState: string | undefined;
  declare capabilities: CallOptions["capabilities"];
  declare at: number;
  number = 0;
  readonly #what: string;
  readonly #deadlines: Deadlines;
  readonly #timeoutMs: number;
  readonly #maxTotalMs: number;
  readonly #last: number;
  readonly #unlink: (() => void) | undefined;
  #controller: AbortController | undefined;
  #peer: Peer | undefined;
  #id: RequestId | undefined;
  /** Why nobody waits any more; `undefined`: somebody does. */
  #over: unknown;

  /**
   * @param what is to be answered: a method, mostly
   * @throws LocalError `INVALID_ARGUMENT`; and the reason of a signal that is already aborted
   */
  constructor(what: string, options: RequestOptions, defaults: WaitingDefaults) {
    const { signal, timeoutMs = defaults.timeoutMs, since = performance.now(), onProgress } = options;
    const { maxTotalMs = Math.max(timeoutMs, defaults.maxTotalMs) } = options;
    signal?.throwIfAborted();
    checkMs("timeoutMs", timeoutMs);
    checkMs("maxTotalMs", maxTotalMs);
    this.logLevel = options.logLevel ?? defaults.logLevel;
    this.routedBy = options.routedBy;
    this.cache = options.cache;
    this.rerun = options.rerun;
    this.#what = what;
    this.#deadlines = defaults.deadlines;
    this.#timeoutMs = timeoutMs;
    this.#maxTotalMs = maxTotalMs;
    this.#last = since + maxTotalMs;
    // also without a callback of the caller's, so that progress is asked for and extends the time
    if (onProgress !== undefined || timeoutMs < maxTotalMs) {
      this.onProgress = (...progress) => {
        this.extend();
        alone(() => onProgress?.(...progress), defaults.failed);
      };
    }
    this.#unlink = signal && follow(signal, (reason) => this.#giveUp(reason));
    this.extend();
  }

  get aborted(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#over !== undefined) this.#controller.abort(this.#over);
    return this.#controller.signal;
  }

  /** Says which peer the request goes to. */
  goesTo(peer: Peer): void {
    this.#peer = peer;
    // ids begin anew with each peer
    this.#id = undefined;
    if (peer.cancel === undefined) this.signal = this.aborted;
  }

  started(id: RequestId): void {
    if (this.#over !== undefined) throw this.#over;
    this.#id = id;
  }

  extend(ms: number = this.#timeoutMs): void {
    this.at = Math.min(performance.now() + ms, this.#last);
    if (this.#over === undefined) this.#deadlines.add(this);
  }

  expire(): void {
    const [method, timeoutMs, maxTotalMs] = [this.#what, this.#timeoutMs, this.#maxTotalMs];
    const what = `gave no answer to ${method} within ${this.at < this.#last ? timeoutMs : maxTotalMs} ms`;
    const told = this.#peer?.describe?.(what);
    const details = { ...told?.details, method, timeoutMs, maxTotalMs };
    this.#giveUp(new LocalError("TIMEOUT", told?.message ?? `the server ${what}`, { details }));
  }

  /** Nobody waits any more. */
  end(): void {
    this.#over ??= null;
    this.#unlink?.();
    this.#deadlines.drop(this);
  }

  #giveUp(reason: unknown): void {
    this.#over = reason;
    this.#controller?.abort(reason);
    if (this.#id !== undefined) this.#peer?.cancel?.(this.#id, reason);
  }
}
