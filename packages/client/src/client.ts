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
import type { KnownTools } from "./known-tools.js";
import { checkAnnounced } from "./need.js";
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
   * Calls once more when the server ends, or its connection, before it has answered; only for tools that the last `listTools` gave as
   * read-only or idempotent. Default `false`: the lost call is an error.
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
  readonly known: KnownTools;
  readonly report: (report: ClientReport) => void;
}

const noOptions: CallToolOptions = {};

export function createClient({ upkeep, defaults, known, report }: ClientParts): Client {
  /**
   * Sends on the conversation. One that turns out to be the wrong one, or is lost and may be repeated, gets a second.
   * All in one function: each function that waits costs about as much as the rest of a call.
   */
  async function act<A, T>(
    method: string,
    options: RequestOptions,
    send: (session: Session, waiting: Waiting) => Promise<A>,
    read: (answer: A) => T,
    rerun = false,
  ): Promise<T> {
    const waiting = new Waiting(method, options, defaults);
    try {
      const ready = upkeep.ready(waiting);
      const live = "then" in ready ? await ready : ready;
      waiting.goesTo(live.peer);
      let answer: A;
      try {
        answer = await send(live.session, waiting);
      } catch (error) {
        const lost = rerun && (live.peer.closed.aborted || isLost(error));
        if (!lost && !upkeep.failed(live, error)) throw error;
        const next = await upkeep.ready(waiting);
        if (!lost && next.session.era === live.session.era) throw error;
        waiting.goesTo(next.peer);
        answer = await send(next.session, waiting);
      }
      upkeep.succeeded();
      return read(answer);
    } finally {
      waiting.end();
    }
  }

  function ask<T>(
    method: string,
    params: JsonObject,
    options: RequestOptions,
    read: (result: JsonObject) => T,
    rerun?: boolean,
  ): Promise<T> {
    const send = (session: Session, waiting: Waiting): Promise<CallResult> => {
      checkAnnounced(method, session.server);
      if (options.meta === undefined) return session.call(method, params, waiting);
      checkMeta(options.meta);
      return session.call(method, { ...params, _meta: options.meta }, waiting);
    };
    return act(method, options, send, (answer) => read(resultOf(method, answer)), rerun);
  }

  function sendCall(name: string, args: JsonObject, options: CallToolOptions): Promise<CallToolResult> {
    const rerun = options.rerun === true && known.isRepeatable(name);
    return ask("tools/call", { name, arguments: args }, options, readToolResult, rerun);
  }

  async function sendChecked(
    name: string,
    args: JsonObject,
    options: CallToolOptions,
    output: Schema<unknown> | undefined,
  ): Promise<CallToolResult> {
    const schema = output ?? known.output(name);
    const result = await sendCall(name, args, options);
    return schema === undefined ? result : checkOutput(name, result, schema, output !== undefined);
  }

  function callTool<T>(
    name: string,
    args: JsonObject | undefined,
    options: CallToolOptions & { readonly output: Schema<T> },
  ): Promise<TypedToolResult<T>>;
  function callTool(name: string, args?: JsonObject, options?: CallToolOptions): Promise<CallToolResult>;
  function callTool(
    name: string,
    args: JsonObject = {},
    options: CallToolOptions & { readonly output?: Schema<unknown> | undefined } = noOptions,
  ): Promise<CallToolResult> {
    const { output } = options;
    if (output === undefined && !known.checks) return sendCall(name, args, options);
    return sendChecked(name, args, options, output);
  }

  return {
    get server() {
      const { era, version, server } = upkeep.live.session;
      const { info, capabilities, instructions } = server;
      return { era, version, info, capabilities, instructions };
    },
    listTools: async (options = noOptions) => {
      const { maxPages = clientDefaults.maxPages } = options;
      const method = "tools/list";
      const send = (params: JsonObject): Promise<JsonObject> => ask(method, params, options, (result) => result);
      const tools = readTools(await readPages({ method, member: "tools", maxPages, ask: send, report }), report);
      known.learn(tools);
      return tools;
    },
    callTool,
    request: (method, params = {}, options = noOptions) => ask(method, params, options, (result) => result),
    notify: async (method, params = {}) => {
      const { peer } = await upkeep.ready();
      await peer.notify(method, params);
    },
    ping: (options = noOptions) =>
      act(
        "ping",
        options,
        (session, waiting) => session.ping(waiting),
        () => {},
      ),
    close: upkeep.close,
  };
}

/** Whether the answer to a request is lost, though not the server: over HTTP each has a connection of its own. */
function isLost(error: unknown): boolean {
  if (!(error instanceof LocalError)) return false;
  return error.code === "CLOSED" || error.code === "UNREACHABLE" || error.details["delivered"] === true;
}

function resultOf(method: string, answer: CallResult): JsonObject {
  switch (answer.type) {
    case "complete":
    case "extended":
      return answer.result;
    case "input_required":
      throw new LocalError("UNSUPPORTED", `${method} needs answers from the user, which this client does not give`, {
        details: { method, inputRequests: answer.inputRequests },
      });
    default:
      return answer satisfies never;
  }
}
