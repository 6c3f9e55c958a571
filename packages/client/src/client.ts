import { type JsonObject, LocalError } from "@parlance/jsonrpc";
import {
  type CallResult,
  type CallToolResult,
  checkMeta,
  type EraName,
  type ServerAnnouncement,
  type ServerCapabilities,
  type Session,
  type ToolDefinition,
} from "@parlance/protocol-versions";
import { clientDefaults } from "./defaults.js";
import type { ClientExtensions } from "./extension.js";
import { checkAnnounced } from "./need.js";
import type { OutputSchemas } from "./output-schemas.js";
import { readPages } from "./pages.js";
import type { ClientReport } from "./report.js";
import type { Schema } from "./schema.js";
import { checkOutput, readToolResult, readTools } from "./tools.js";
import type { Upkeep } from "./upkeep.js";
import { type RequestOptions, Waiting, type WaitingDefaults } from "./waiting.js";

/**
 * How a list is read.
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

/** What a client is made of. */
export interface ClientParts {
  readonly upkeep: Upkeep;
  readonly defaults: WaitingDefaults;
  readonly schemas: OutputSchemas | undefined;
  /** Makes of an extended result of a tool the one that was asked for. */
  readonly finish: ClientExtensions["finish"] | undefined;
  readonly report: (report: ClientReport) => void;
}

type CallToolWith = CallToolOptions & { readonly output?: Schema<unknown> | undefined };
const noOptions: CallToolWith = {};

export function createClient({ upkeep, defaults, schemas, finish, report }: ClientParts): Client {
  /** All of a request in one function: each function that waits costs about as much as the rest of a call. */
  async function act<A, T>(
    method: string,
    options: RequestOptions,
    send: (session: Session, waiting: Waiting) => Promise<A>,
    read: (answer: A) => T | Promise<T>,
    rerun?: string | undefined,
  ): Promise<T> {
    const waiting = new Waiting(method, options, defaults);
    try {
      return read(await upkeep.run(waiting, (session) => send(session, waiting), rerun));
    } finally {
      waiting.end();
    }
  }

  function ask<T>(
    method: string,
    params: JsonObject,
    options: RequestOptions,
    read: (result: JsonObject, extended?: string) => T | Promise<T>,
    rerun?: string | undefined,
  ): Promise<T> {
    const { meta } = options;
    const send = (session: Session, waiting: Waiting): Promise<CallResult> => {
      checkAnnounced(method, session.server);
      if (meta === undefined) return session.call(method, params, waiting);
      checkMeta(meta);
      return session.call(method, { ...params, _meta: meta }, waiting);
    };
    const settle = (answer: CallResult): T | Promise<T> =>
      read(resultOf(method, answer), answer.type === "extended" ? answer.resultType : undefined);
    return act(method, options, send, settle, rerun);
  }

  function sendCall(name: string, args: JsonObject, options: CallToolWith): Promise<CallToolResult> {
    const rerun = options.rerun ? name : undefined;
    const read = (result: JsonObject, extended?: string): CallToolResult | Promise<CallToolResult> =>
      extended && finish ? finish(client, extended, result, options).then(readToolResult) : readToolResult(result);
    return ask("tools/call", { name, arguments: args }, options, read, rerun);
  }

  async function sendChecked(name: string, args: JsonObject, options: CallToolWith): Promise<CallToolResult> {
    const { output } = options;
    const schema = output ?? schemas?.of(name);
    const result = await sendCall(name, args, options);
    return schema === undefined ? result : checkOutput(name, result, schema, output !== undefined);
  }

  function callTool<T>(
    name: string,
    args: JsonObject | undefined,
    options: CallToolOptions & { readonly output: Schema<T> },
  ): Promise<TypedToolResult<T>>;
  function callTool(name: string, args?: JsonObject, options?: CallToolOptions): Promise<CallToolResult>;
  function callTool(name: string, args: JsonObject = {}, options: CallToolWith = noOptions): Promise<CallToolResult> {
    return (options.output ?? schemas) === undefined ? sendCall(name, args, options) : sendChecked(name, args, options);
  }

  const client: Client = {
    get server() {
      const { era, version, server } = upkeep.live.session;
      const { info, capabilities, instructions } = server;
      return { era, version, info, capabilities, instructions };
    },
    listTools: async (options = noOptions) => {
      const { maxPages = clientDefaults.maxPages } = options;
      const method = "tools/list";
      const send = (params: JsonObject): Promise<JsonObject> => ask(method, params, options, same);
      const tools = readTools(await readPages({ method, member: "tools", maxPages, ask: send, report }), report);
      upkeep.learn?.(tools);
      schemas?.learn(tools);
      return tools;
    },
    callTool,
    request: (method, params = {}, options = noOptions) => ask(method, params, options, same),
    notify: async (method, params = {}) => (await upkeep.ready()).peer.notify(method, params),
    ping: (options = noOptions) => act("ping", options, (session, waiting) => session.ping(waiting), same),
    close: upkeep.close,
  };
  return client;
}

function same<T>(value: T): T {
  return value;
}

function resultOf(method: string, answer: CallResult): JsonObject {
  if (answer.type !== "input_required") return answer.result;
  throw new LocalError("UNSUPPORTED", `${method} needs answers from the user, which this client does not give`, {
    details: { method, inputRequests: answer.inputRequests },
  });
}
