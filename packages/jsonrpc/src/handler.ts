import type { Batches } from "./batch.js";
import type { createCalls } from "./calls.js";
import type { LocalError } from "./error.js";
import type { JsonObject, RequestId, RpcNotification, RpcRequest } from "./message.js";
import type { Report } from "./report.js";
import type { createRunning } from "./running.js";

/**
 * Sends a notification, whose params may be a `Serialized`. Settles when the reader took it; rejects when it cannot be sent.
 * @stable
 */
export type Notify = (method: string, params: JsonObject) => Promise<void>;

/**
 * Sends a request and resolves with its result.
 * @throws RpcError what the peer answered
 * @throws LocalError `CLOSED`, `BAD_REPLY` and what transports add
 * @stable
 */
export type Ask = (method: string, params: JsonObject, options?: RequestOptions) => Promise<JsonObject>;

/**
 * How one request is sent.
 * @stable
 */
export interface RequestOptions {
  /** Ends the wait: the promise rejects with the signal's reason and the peer is told by `notifications/cancelled`. */
  readonly signal?: AbortSignal | undefined;
  /** `false`: an abort ends the wait but the peer is not told (`initialize` is never cancelled). Read when it aborts. Default `true`. */
  readonly cancellable?: boolean | undefined;
  /** What intermediaries route the request by, where its method does not tell. Pipes do not care. */
  readonly routedBy?: string | undefined;
  /** Hears the id before the frame leaves. */
  readonly started?: ((id: RequestId) => void) | undefined;
}

/**
 * What the handshake settled, for whoever moves the messages.
 * @stable
 */
export interface Agreed {
  /** The agreed protocol revision. */
  readonly version: string;
  /** `batches`, where the session may carry them. */
  readonly batches?: Batches | undefined;
}

/**
 * Who is calling, as an authenticating transport found out.
 * @stable
 */
export interface Principal {
  readonly id: string;
  readonly scopes: readonly string[];
  readonly expiresAtMs?: number | undefined;
  readonly claims?: JsonObject | undefined;
}

/**
 * A pipe, an HTTP session, or one HTTP request. State may key on its identity.
 * @stable
 */
export interface Connection {
  /** Aborts when the connection is gone. */
  readonly closed: AbortSignal;
  /**
   * Hears once that the connection is gone, for less than a listener on `closed` costs: there may be very many
   * connections, and some make their signal only when it is asked for. Absent: listen to `closed`.
   */
  readonly onClosed?: ((listener: () => void) => void) | undefined;
  /**
   * HTTP without a session: the one of these protocol revisions that the request is under. Absent elsewhere.
   * @throws RpcError when it says that it is under another
   */
  revisionAmong?<Version extends string>(versions: readonly Version[]): Version;
  /** Called inside `initialize` with what was agreed. */
  readonly agreed?: ((to: Agreed) => void) | undefined;
  /** Sends a notification outside any request. Absent: nothing that needs it may be announced. */
  readonly notify?: Notify | undefined;
}

/**
 * One incoming request's surroundings. Members may be made lazily: never spread it and never make it a prototype; wrap it with `derive`.
 * @stable
 */
export interface Exchange {
  readonly connection: Connection;
  readonly principal?: Principal | undefined;
  /** Aborts when the caller cancels or is gone. */
  readonly signal: AbortSignal;
  /** Sends a notification on this request's stream. After the reply, and when nobody is there any more, it does nothing. */
  readonly notify: Notify;
  /** Asks the caller on this request's stream. Absent where the transport cannot. */
  readonly request?: Ask | undefined;
  /** HTTP: any header by its full name, decoded. */
  readonly header?: ((name: string) => string | undefined) | undefined;
  /**
   * HTTP, stateless: holds what the headers say of a request to what its body says, when the era comes to it.
   * @throws RpcError −32020
   */
  checkHeaders?(about: "version" | "routing"): void;
  /** Has one notification sent right after the reply to this request, where the transport can. */
  readonly afterReply?: ((method: string, params: JsonObject) => void) | undefined;
  /** Lets go of this request's stream; the caller comes back after `retryMs`. */
  readonly release?: ((retryMs: number) => void) | undefined;
  /** Aborts the signal because this side gives up; the caller still waits for an answer. Absent: it cannot be given up. */
  stop?(reason: Error): void;
}

/**
 * The key under which a `Serialized` keeps its text.
 * @stable
 */
export const serializedText: unique symbol = Symbol.for("parlance.serialized") as never;

/**
 * A result that is already JSON text; the codec splices it in. Features and clients never see one.
 * @stable
 */
export type Serialized = { readonly [serializedText]: string };

/**
 * No answer at all, for a protocol in which the other side must not ask: the request is dropped and reported.
 * @stable
 */
export const unanswered: Serialized = { [serializedText]: "" };

/**
 * What answers a request: an object, or its text.
 * @stable
 */
export type Result = JsonObject | Serialized;

/**
 * Answers requests and hears notifications.
 * @stable
 */
export interface Handler {
  /** Answers one request. An `RpcError` or `AccessError` thrown goes to the caller; anything else becomes −32603. */
  request(message: RpcRequest, exchange: Exchange): Result | Promise<Result>;
  /** Hears one notification. */
  notification?(message: RpcNotification, connection: Connection): void;
  /** `createCalls`, of a handler that asks the other side: `serve` has it from here only. */
  readonly asking?: typeof createCalls | undefined;
  /**
   * `createRunning`, of a handler that takes its time: with it the other side can cancel what it asked. `over` has it from
   * here only.
   */
  readonly answering?: typeof createRunning | undefined;
}

/**
 * Moves requests to the other side. Made by `connect`, or by a transport that is no pipe.
 * @stable
 */
export interface Peer {
  /** On a pipe silence is a verdict, on HTTP an error. */
  readonly carrier: "pipe" | "http";
  /** Names what is at the other end (a command line, an origin), for whoever remembers things about it. */
  readonly authority?: string | undefined;
  /** Tells apart callers that must not share what is remembered. */
  readonly partition?: string | undefined;
  readonly request: Ask;
  readonly notify: Notify;
  /**
   * Gives up a request of ours, by the id that `started` heard: it rejects with `reason`, and the peer is told. It does
   * what a signal does, for callers with so many requests that a signal for each costs too much.
   */
  readonly cancel?: ((id: RequestId, reason: unknown) => void) | undefined;
  /** Takes what the handshake settled. `again` settles it anew, and gives the revision, should the other side forget it. */
  readonly agreed?: ((to: Agreed, again?: (signal: AbortSignal) => Promise<string>) => void) | undefined;
  /**
   * Hears that what the other side says by itself may have been missed, though the connection goes on: what carries it
   * broke. Absent where that cannot be. @returns what ends it
   */
  readonly missed?: ((listener: () => void) => () => void) | undefined;
  /** Says `what` of the other side as an error that names it, with what else is known of it: a command, its stderr. */
  readonly describe?: ((what: string) => LocalError) | undefined;
  /** Ends the connection: everything pending rejects with `CLOSED`. Idempotent. */
  close(): Promise<void>;
  /** Aborts when the connection is gone; its reason is a `LocalError`. */
  readonly closed: AbortSignal;
}

/**
 * Opens a connection on which `handler` answers what the other side sends. `report` hears of it what the dial has no
 * listener of its own for.
 * @stable
 */
export type Dial = (handler: Handler, report?: ((report: Report) => void) | undefined) => Promise<Peer>;
