import type {
  Connection,
  Exchange,
  Handler,
  JsonObject,
  Peer,
  RequestId,
  Result,
  RpcError,
  RpcNotification,
  RpcRequest,
} from "@parlance/jsonrpc";
import type { ChangeBus } from "./change.js";
import type { Feature, FeatureSet, InputRequired } from "./feature.js";
import type { ClientCapabilities } from "./model/capability.js";
import type { Implementation } from "./model/implementation.js";
import type { InputResponses } from "./model/input.js";
import type { LogLevel } from "./model/log-level.js";
import type { EraName, ProtocolVersion } from "./version.js";

/**
 * What an era needs to know of the server it speaks for.
 * @stable
 */
export interface ServerFacts {
  readonly info: Implementation;
  readonly instructions?: string | undefined;
  /** Every revision of every era that is on, newest first. */
  readonly versions: readonly ProtocolVersion[];
  readonly features: readonly FeatureSet[];
  /** All methods of all features, with middleware around them. */
  readonly methods: ReadonlyMap<string, Feature>;
  readonly changes: ChangeBus;
  /** Aborts when the server is closing. */
  readonly closing: AbortSignal;
}

/**
 * An era, seen from a server: all that differs between the eras is behind this and `ClientEra`.
 * @stable
 */
export interface ServerEra {
  readonly name: EraName;
  /** Newest first. */
  readonly versions: readonly ProtocolVersion[];
  /** Whether the message is this era's. Pure. */
  claims(message: RpcRequest | RpcNotification, connection: Connection): boolean;
  serve(request: RpcRequest, exchange: Exchange, server: ServerFacts): Result | Promise<Result>;
  notice?(message: RpcNotification, connection: Connection, server: ServerFacts): void;
}

/**
 * What is spoken, and with whom.
 * @stable
 */
export type Settled = Pick<Session, "version" | "server">;

/**
 * The client that an era speaks for.
 * @stable
 */
export interface ClientSelf {
  readonly info: Implementation;
  readonly capabilities: ClientCapabilities;
  /** Answers one question of the server, in a session as its version has it. */
  answer(method: string, params: JsonObject, signal?: AbortSignal, session?: Settled): Promise<JsonObject>;
  /** What lets a server take back what it asked, of a client that takes its time over answers. */
  readonly answering?: Handler["answering"];
  /** Hears what belongs to no call. */
  heard?(message: RpcNotification): void;
  /** What it declares in place of, or besides, its `capabilities` where one side shakes hands. */
  readonly sessionCapabilities?: ClientCapabilities | undefined;
}

/**
 * What a server says of itself.
 * @stable
 */
export interface ServerAnnouncement {
  readonly info?: Implementation | undefined;
  readonly capabilities: JsonObject;
  readonly instructions?: string | undefined;
  /** It was not said on this connection but comes from an earlier one, or is not known: nothing is refused because of it. */
  readonly remembered?: boolean | undefined;
}

/**
 * How an era is opened.
 * @stable
 */
export interface OpenOptions {
  readonly signal?: AbortSignal | undefined;
  /** Aborts when the probe has gone unanswered for too long, and when `signal` does. */
  readonly silence: AbortSignal;
  /** What an earlier era learned that the server speaks. */
  readonly offered?: readonly string[] | undefined;
  /** What was learned on an earlier connection, in a version of this era: one that can do without asking again does not ask. */
  readonly known?: Settled | undefined;
  /** Takes what answers the server from here on, before the message that lets the server speak. */
  attach(session: Handler): void;
}

/**
 * What opening an era came to.
 * @stable
 */
export type Opened =
  | { readonly type: "session"; readonly session: Session }
  | {
      readonly type: "not_spoken";
      readonly offered?: readonly string[] | undefined;
      readonly cause: Error;
    };

/**
 * An era, seen from a client.
 * @stable
 */
export interface ClientEra {
  readonly name: EraName;
  /** Newest first. */
  readonly versions: readonly ProtocolVersion[];
  /** Rejects when the server speaks this era and refused, or when nothing was learned. */
  open(peer: Peer, self: ClientSelf, options: OpenOptions): Promise<Opened>;
}

/**
 * How one call is made.
 * @stable
 */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** `false`: the server is not told that nobody waits any more. Default `true`. */
  readonly cancellable?: boolean | undefined;
  /** Hears the id of the request before it leaves; of each, should more than one be needed. */
  readonly started?: ((id: RequestId) => void) | undefined;
  /** What intermediaries route the request by, where the method does not tell: HTTP sends it as `Mcp-Name` (stateless era). */
  readonly routedBy?: string | undefined;
  /** The least severe log message wanted for this call (stateless era). */
  readonly logLevel?: LogLevel | undefined;
  readonly onProgress?: ((done: number, total?: number, message?: string) => void) | undefined;
  readonly inputResponses?: InputResponses | undefined;
  readonly requestState?: string | undefined;
  /** What the client can do in this call, in place of what it can do in all (stateless era). */
  readonly capabilities?: ClientCapabilities | undefined;
}

/**
 * What a call came to; a refusal is thrown as `RpcError`.
 * @stable
 */
export interface CallResult {
  /** `complete`, or what else the server says that the result is: then it is for who knows that type, and for nobody else. */
  readonly type: unknown;
  readonly result: JsonObject;
}

/**
 * Pages to visit before a call is made again: the server refuses it until then (2025-11-25).
 * @stable
 */
export type PagesFirst = InputRequired & {
  /** What it refused with. */
  readonly refusal: RpcError;
};

/**
 * An open conversation with a server, the same in both eras.
 * @stable
 */
export interface Session extends Handler {
  readonly era: EraName;
  readonly version: ProtocolVersion;
  readonly server: ServerAnnouncement;
  /** The caller's `params._meta` is kept, but for the keys that are the protocol's. */
  call(method: string, params: JsonObject, options?: CallOptions): Promise<CallResult>;
  /** Asks for a sign of life. */
  ping(options?: CallOptions): Promise<void>;
}
