import { LocalError, type Peer, type RequestId, type RequestOptions as SendOptions } from "@parlance/jsonrpc";
import type { CallOptions, InputResponses, LogLevel, Meta } from "@parlance/protocol-versions";
import { follow } from "./abort.js";
import { alone } from "./alone.js";
import type { Deadline, Deadlines } from "./deadlines.js";
import { checkMs, checkSignal } from "./option.js";

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
 * One request while it waits: what the session and the peer are told of it, and its deadline. A class without a signal
 * of its own, since each call makes one.
 * @see MCP 2026-07-28, basic/patterns/cancellation, timeouts
 */
export class Waiting implements CallOptions, SendOptions, Deadline {
  readonly logLevel: LogLevel | undefined;
  readonly routedBy: string | undefined;
  readonly cache: CacheUse | undefined;
  /** Present also without a callback, so that progress is asked for and extends the deadline. */
  readonly onProgress: CallOptions["onProgress"];
  /** For peers that take back a request by a signal only. */
  signal: AbortSignal | undefined;
  /** What the next round brings. Most requests have no other, and no such members. */
  declare inputResponses: InputResponses | undefined;
  declare requestState: string | undefined;
  declare capabilities: CallOptions["capabilities"];
  at: number;
  place: number | undefined;
  readonly #method: string;
  readonly #defaults: WaitingDefaults;
  readonly #timeoutMs: number;
  readonly #maxTotalMs: number;
  readonly #last: number;
  readonly #unlink: (() => void) | undefined;
  #controller: AbortController | undefined;
  #peer: Peer | undefined;
  #id: RequestId | undefined;
  #over: { readonly reason: unknown } | undefined;

  /** @throws LocalError `INVALID_ARGUMENT`; and the reason of a signal that is already aborted */
  constructor(method: string, options: RequestOptions, defaults: WaitingDefaults) {
    checkSignal(options.signal);
    options.signal?.throwIfAborted();
    const {
      timeoutMs = defaults.timeoutMs,
      maxTotalMs = Math.max(timeoutMs, defaults.maxTotalMs),
      onProgress,
    } = options;
    checkMs("timeoutMs", timeoutMs);
    checkMs("maxTotalMs", maxTotalMs);
    const now = performance.now();
    this.routedBy = options.routedBy;
    this.logLevel = options.logLevel ?? defaults.logLevel;
    this.cache = options.cache;
    this.#method = method;
    this.#defaults = defaults;
    this.#timeoutMs = timeoutMs;
    this.#maxTotalMs = maxTotalMs;
    this.#last = (options.since ?? now) + maxTotalMs;
    this.at = Math.min(now + timeoutMs, this.#last);
    this.onProgress = onProgress !== undefined || this.at < this.#last ? this.#hear(onProgress) : undefined;
    this.#unlink = options.signal && follow(options.signal, (reason) => this.#giveUp(reason));
    if (this.at !== Number.POSITIVE_INFINITY) defaults.deadlines.add(this);
  }

  /** For whatever else is waited for. */
  get aborted(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#over !== undefined) this.#controller.abort(this.#over.reason);
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
    if (this.#over !== undefined) throw this.#over.reason;
    this.#id = id;
  }

  /** Gives the server its time anew, from then on. An earlier time than before takes effect where it is added anew. */
  extend(from: number = performance.now()): void {
    this.at = Math.min(from + this.#timeoutMs, this.#last);
  }

  expire(): void {
    const [method, timeoutMs, maxTotalMs] = [this.#method, this.#timeoutMs, this.#maxTotalMs];
    const within = this.at === this.#last ? `${maxTotalMs} ms in all` : `${timeoutMs} ms`;
    const details = { method, timeoutMs, maxTotalMs };
    this.#giveUp(new LocalError("TIMEOUT", `no answer to ${method} within ${within}`, { details }));
  }

  end(): void {
    this.#unlink?.();
    this.#defaults.deadlines.drop(this);
  }

  #giveUp(reason: unknown): void {
    this.#over = { reason };
    this.#controller?.abort(reason);
    if (this.#id !== undefined) this.#peer?.cancel?.(this.#id, reason);
  }

  #hear(onProgress: CallOptions["onProgress"]): CallOptions["onProgress"] {
    return (done, total, message) => {
      this.extend();
      alone(() => onProgress?.(done, total, message), this.#defaults.failed);
    };
  }
}
