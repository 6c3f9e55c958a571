import type { Exchange, RpcRequest } from "@parlance/jsonrpc";
import type { ServerFacts } from "./era.js";
import type { ServedSession } from "./handshake/state.js";

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
