import type { Connection, Exchange, JsonObject, RpcRequest } from "@parlance/jsonrpc";
import type { ServerFacts } from "./era.js";
import type { Caller } from "./feature.js";
import type { ProtocolVersion } from "./version.js";

/**
 * The key under which a call keeps what it is served with.
 * @experimental
 */
export const served: unique symbol = Symbol.for("parlance.served") as never;

/**
 * What a call is served with, for feature sets that take part in the protocol itself.
 * @experimental
 */
export interface Served {
  readonly request: RpcRequest;
  readonly exchange: Exchange;
  readonly server: ServerFacts;
  /** Absent in the stateless era. */
  readonly session?: ServedSession | undefined;
}

/**
 * What is known of one client, from when a session was agreed on until its connection is gone.
 * @experimental
 */
export interface ServedSession {
  readonly connection: Connection;
  readonly server: ServerFacts;
  readonly version: ProtocolVersion;
  /** A value of a type, or the result of a method, as the session's revision has it. */
  readonly downgrade: Downgrade;
  caller: Caller;
  /** Acts as soon as the client has said that it is ready to be told and asked. */
  whenReady(act: () => void): void;
}

/**
 * Takes a value of a type, or the result of a method, down to a revision.
 * @experimental
 */
export type Downgrade = (type: string, value: JsonObject) => JsonObject;
