import type { JsonObject } from "@parlance/jsonrpc";
import type { CallToolResult, EraName, ServerAnnouncement, ServerCapabilities } from "@parlance/protocol-versions";
import type { Inner, inner } from "./inner.js";
import type { RequestOptions } from "./waiting.js";

/**
 * What a server said of itself, and how it is spoken to.
 * @stable
 */
export interface ConnectedServer {
  readonly era: EraName;
  /** The protocol revision. */
  readonly version: string;
  /** Who it says it is: for people to read, never to decide by. */
  readonly info: ServerAnnouncement["info"];
  /** `{}` while it is not known, which is when the server was not asked because of a verdict. */
  readonly capabilities: ServerCapabilities;
  /** A hint for a model, from a stranger. */
  readonly instructions: string | undefined;
}

/**
 * A client that is connected to one server, for as many conversations as you like.
 *
 * What the server answers with an error is thrown as `RpcError`, unchanged; what goes wrong on this side as
 * `LocalError`: `TIMEOUT`, `CLOSED`, `BAD_REPLY`, `UNSUPPORTED`, `INVALID_ARGUMENT`. An abort rejects with the reason of
 * the signal.
 * @stable
 */
export interface Client {
  readonly server: ConnectedServer;
  /** For the functions of this package that take a client. */
  readonly [inner]: Inner;
  /** Calls a tool. A tool that failed is a result with `isError`: a model can learn from it. */
  callTool(name: string, args?: JsonObject, options?: RequestOptions): Promise<CallToolResult>;
  /** Sends any request. */
  request(method: string, params?: JsonObject, options?: RequestOptions): Promise<JsonObject>;
  /** Sends any notification. */
  notify(method: string, params?: JsonObject): Promise<void>;
  /** Asks for a sign of life, in the way that the server's era has. */
  ping(options?: RequestOptions): Promise<void>;
  /** Ends the connection: what waits for an answer rejects with `CLOSED`. Idempotent. */
  close(): Promise<void>;
}
