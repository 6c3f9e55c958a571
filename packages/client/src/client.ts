import type { JsonObject } from "@parlance/jsonrpc";
import type {
  CallToolResult,
  EraName,
  ServerAnnouncement,
  ServerCapabilities,
  ToolDefinition,
} from "@parlance/protocol-versions";
import type { Inner, inner } from "./inner.js";
import type { Schema } from "./schema.js";
import type { RequestOptions } from "./waiting.js";

/**
 * How a list is read. `timeoutMs` is for each page, `maxTotalMs` for all of them.
 * @stable
 */
export interface ListOptions extends RequestOptions {
  /** A list with more pages is an error. Default 1 000. */
  readonly maxPages?: number | undefined;
}

/**
 * How a tool is called.
 * @stable
 */
export interface CallToolOptions extends RequestOptions {
  /**
   * Calls once more when the server ends, or its connection, before it has answered; only where `connectClient` was given
   * `restart`, and for tools that the last `listTools` gave as read-only or idempotent. Default `false`: the lost call is
   * an error.
   */
  readonly rerun?: boolean | undefined;
}

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
 * The result of a tool whose structured content was checked: it is there unless the tool failed.
 * @stable
 */
export type TypedToolResult<T> =
  | (Omit<CallToolResult, "structuredContent" | "isError"> & {
      readonly isError?: false | undefined;
      readonly structuredContent: T;
    })
  | (Omit<CallToolResult, "structuredContent" | "isError"> & { readonly isError: true });

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
  /** Lists the tools, all pages of them. */
  listTools(options?: ListOptions): Promise<readonly ToolDefinition[]>;
  /** Calls a tool whose structured content is checked by a schema, and typed by it. */
  callTool<T>(
    name: string,
    args: JsonObject | undefined,
    options: CallToolOptions & { readonly output: Schema<T> },
  ): Promise<TypedToolResult<T>>;
  /** Calls a tool. A tool that failed is a result with `isError`: a model can learn from it. */
  callTool(name: string, args?: JsonObject, options?: CallToolOptions): Promise<CallToolResult>;
  /** Sends any request. */
  request(method: string, params?: JsonObject, options?: RequestOptions): Promise<JsonObject>;
  /** Sends any notification. */
  notify(method: string, params?: JsonObject): Promise<void>;
  /** Asks for a sign of life, in the way that the server's era has. */
  ping(options?: RequestOptions): Promise<void>;
  /** Ends the connection: what waits for an answer rejects with `CLOSED`. Idempotent. */
  close(): Promise<void>;
}
