import { isInstance, nameAs } from "./brand.js";
import type { RpcErrorObject } from "./message.js";

/**
 * The codes of JSON-RPC 2.0.
 * @see JSON-RPC 2.0, section 5.1
 * @stable
 */
export const rpcCodes: {
  readonly parseError: -32700;
  readonly invalidRequest: -32600;
  readonly methodNotFound: -32601;
  readonly invalidParams: -32602;
  readonly internalError: -32603;
} = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
};

/**
 * What an `RpcError` carries besides its code and message.
 * @stable
 */
export interface RpcErrorOptions {
  /** Sent as `error.data`. */
  readonly data?: unknown;
  /** Kept for logs, never sent. */
  readonly cause?: unknown;
  /** An envelope fault, found before the request was understood; HTTP answers it with 400. Never sent. */
  readonly early?: boolean | undefined;
}

/**
 * Codes of errors that arise on our side and are no peer's answer.
 * `CLOSED` the connection is gone · `TIMEOUT` nobody answered in time · `BAD_REPLY` the peer's answer is no valid answer ·
 * `FRAME_TOO_LONG`, `BAD_FRAME` a frame could not be delivered · `SPAWN_FAILED` a program could not be started ·
 * `SESSION_LOST` the server forgot the session · `UNREACHABLE`, `UNAUTHORIZED` what a network says ·
 * `UNSUPPORTED` the other side does not offer what was asked · `VERSION_MISMATCH` no protocol revision in common ·
 * `CANCELLED` the other side was told to stop what was waited for · `INVALID_ARGUMENT` the caller's own mistake.
 * @stable
 */
export type LocalErrorCode =
  | "CLOSED"
  | "TIMEOUT"
  | "BAD_REPLY"
  | "FRAME_TOO_LONG"
  | "BAD_FRAME"
  | "SPAWN_FAILED"
  | "SESSION_LOST"
  | "UNREACHABLE"
  | "UNAUTHORIZED"
  | "UNSUPPORTED"
  | "VERSION_MISMATCH"
  | "CANCELLED"
  | "INVALID_ARGUMENT";

/**
 * What a `LocalError` carries besides its code and message.
 * @stable
 */
export interface LocalErrorOptions {
  readonly cause?: unknown;
  /** Facts a program can act on: an exit code, the last lines of stderr, both lists of versions. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * An error that travels: the answer of a peer, or the answer that a handler of ours wants to give.
 * `instanceof` also holds across several installed copies of this package.
 * @stable
 */
export class RpcError extends Error {
  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: a subclass inherits this method
    return isInstance(this, "RpcError", value);
  }
  /** An integer; the meaning of the reserved range is JSON-RPC's and the protocol's. */
  readonly code: number;
  /** Absent when there is none, and so is `early` when it is not. */
  declare readonly data?: unknown;
  declare readonly early?: boolean | undefined;

  constructor(code: number, message: string, options: RpcErrorOptions = {}) {
    super(message, options);
    nameAs(this, "RpcError");
    this.code = code;
    const { data, early } = options;
    if (data !== undefined) this.data = data;
    if (early) this.early = early;
  }

  /** The `error` member of the answer: code, message and data, nothing else. */
  toJSON(): RpcErrorObject {
    const { message, data } = this;
    // a code that is no integer is no code
    const code = Number.isInteger(this.code) ? this.code : rpcCodes.internalError;
    return data === undefined ? { code, message } : { code, message, data };
  }
}

/**
 * An error that arose on our side. It cannot be taken for a peer's answer: its `code` is a word.
 * @stable
 */
export class LocalError extends Error {
  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: a subclass inherits this method
    return isInstance(this, "LocalError", value);
  }
  readonly code: LocalErrorCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: LocalErrorCode, message: string, options: LocalErrorOptions = {}) {
    super(message, options);
    nameAs(this, "LocalError");
    this.code = code;
    this.details = options.details ?? {};
  }
}

/**
 * What an `AccessError` carries besides its code and message.
 * @stable
 */
export interface AccessErrorOptions {
  /** The scopes that would be enough. */
  readonly scopes?: readonly string[] | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/**
 * A refusal for want of permission, or of patience. It passes unmasked; HTTP makes it 403 or 429, and so is the code of
 * the error that a pipe answers with.
 * @stable
 */
export class AccessError extends Error {
  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: a subclass inherits this method
    return isInstance(this, "AccessError", value);
  }
  readonly code: "INSUFFICIENT_SCOPE" | "RATE_LIMITED";
  readonly scopes: readonly string[];
  readonly retryAfterMs: number | undefined;

  constructor(code: "INSUFFICIENT_SCOPE" | "RATE_LIMITED", message: string, options: AccessErrorOptions = {}) {
    super(message, options);
    nameAs(this, "AccessError");
    this.code = code;
    this.scopes = options.scopes ?? [];
    this.retryAfterMs = options.retryAfterMs;
  }

  /** The `error` member of the answer, where there is no HTTP status to say it. */
  toJSON(): RpcErrorObject {
    const { code: reason, message, scopes, retryAfterMs } = this;
    return { code: reason === "RATE_LIMITED" ? 429 : 403, message, data: { reason, scopes, retryAfterMs } };
  }
}
