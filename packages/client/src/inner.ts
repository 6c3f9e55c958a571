import type { JsonObject, Peer, RpcNotification } from "@parlance/jsonrpc";
import type { CallOptions, CallResult, InputResponses, ListenEvent, Session } from "@parlance/protocol-versions";
import type { Deadline } from "./deadlines.js";
import type { ClientExtensions } from "./extension.js";
import type { OutputSchemas } from "./output-schemas.js";
import type { ClientReport } from "./report.js";
import type { Upkeep } from "./upkeep.js";
import type { CacheUse, WaitingDefaults } from "./waiting.js";

/** Where the functions that take a client find what they need of it; the same in every copy of this package. */
export const inner: unique symbol = Symbol.for("parlance.client");

/**
 * Sends one message of a request, and the next for each round of questions.
 * @experimental
 */
export type Send = (
  session: Session,
  method: string,
  params: JsonObject,
  options: CallOptions & NextRound & { readonly cache?: CacheUse | undefined },
) => Promise<CallResult>;

/**
 * What the next round of a request is sent with.
 * @experimental
 */
export interface NextRound extends Deadline {
  inputResponses: InputResponses | undefined;
  requestState: string | undefined;
  /** Aborts when nobody waits for the request any more. */
  readonly aborted: AbortSignal;
  /** Gives the server its time anew, from then on in the time of `performance.now()`. Default: now. */
  extend(from?: number): void;
}

/**
 * Those who hear every notification that belongs to no call.
 * @experimental
 */
export type Hearing = Set<(message: RpcNotification) => void>;

/**
 * Those who hear what is heard by listening.
 * @experimental
 */
export type Told = Set<(event: ListenEvent) => void>;

/**
 * Stands between a client and its server, and answers what it can by itself. One may serve several clients.
 * @experimental
 */
export type ResponseCache = (
  next: Send,
  hearing: Hearing,
  server: Pick<Peer, "authority" | "partition">,
  told?: Told | undefined,
) => Send;

/** What a client is made of. */
export interface Inner {
  readonly upkeep: Upkeep;
  readonly defaults: WaitingDefaults;
  readonly schemas: OutputSchemas | undefined;
  /** Makes of an extended result of a tool the one that was asked for. */
  readonly finish: ClientExtensions["finish"] | undefined;
  readonly hearing: Hearing;
  readonly told: Told;
  /** What is done first when the client is closed. */
  readonly closing: Set<() => void>;
  readonly report: (report: ClientReport) => void;
  /** A function that has something to do with every message puts its own around this one. */
  send: Send;
}

export const sendPlainly: Send = (session, method, params, options) => session.call(method, params, options);
