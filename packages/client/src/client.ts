import { type JsonObject, LocalError } from "@parlance/jsonrpc";
import {
  type CallToolResult,
  checkMeta,
  type EraName,
  type ServerAnnouncement,
  type ServerCapabilities,
  type Session,
  type ToolDefinition,
} from "@parlance/protocol-versions";
import type { KnownTools } from "./known-tools.js";
import { checkAnnounced } from "./need.js";
import { readPages } from "./pages.js";
import type { ClientReport } from "./report.js";
import type { Schema } from "./schema.js";
import { checkOutput, readToolResult, readTools } from "./tools.js";
import type { Upkeep } from "./upkeep.js";
import { type RequestOptions, Waiting, type WaitingDefaults } from "./waiting.js";

/** How many pages a list may have: a server that makes up cursors must not be read for ever. */
const defaultMaxPages = 1_000;

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
   * Calls once more when the server ends before it has answered; only for tools that the last `listTools` gave as
   * read-only or idempotent. Default `false`: the lost call is an error.
   */
  readonly rerun?: boolean | undefined;
}

/**
 * What a server said of itself, and how it is spoken to.
 * @stable
 */
export interface ServerFacts {
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
      readonly isError?: false;
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
  readonly server: ServerFacts;
  /** Lists the tools, all pages of them. */
  listTools(options?: ListOptions): Promise<readonly ToolDefinition[]>;
  /** Calls a tool. A tool that failed is a result with `isError`: a model can learn from it. */
  callTool(name: string, args?: JsonObject, options?: CallToolOptions): Promise<CallToolResult>;
  /** The same, with the structured content checked by a schema. */
  callTool<T>(
    name: string,
    args: JsonObject | undefined,
    options: CallToolOptions & { readonly output: Schema<T> },
  ): Promise<TypedToolResult<T>>;
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
  /** Acts on the conversation. One that turns out to be the wrong one, or is lost and may be repeated, gets a second. */
  async function act<T>(
    method: string,
    options: RequestOptions,
    rerun: boolean,
    how: (session: Session, waiting: Waiting) => Promise<T>,
  ): Promise<T> {
    const waiting = new Waiting(method, options, defaults);
    try {
      const ready = upkeep.ready(waiting);
      const live = "then" in ready ? await ready : ready;
      waiting.goesTo(live.peer);
      try {
        const result = await how(live.session, waiting);
        upkeep.succeeded();
        return result;
      } catch (error) {
        const lost = rerun && live.peer.closed.aborted;
        if (!lost && !upkeep.failed(error)) throw error;
        const next = await upkeep.ready(waiting);
        if (!lost && next.session.era === live.session.era) throw error;
        waiting.goesTo(next.peer);
        return await how(next.session, waiting);
      }
    } finally {
      waiting.end();
    }
  }

  async function ask(method: string, params: JsonObject, options: RequestOptions, rerun = false): Promise<JsonObject> {
    if (options.meta !== undefined) checkMeta(options.meta);
    const whole = options.meta === undefined ? params : { ...params, _meta: options.meta };
    const answer = await act(method, options, rerun, (session, waiting) => {
      checkAnnounced(method, session.server);
      return session.call(method, whole, waiting);
    });
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

  async function callTool<T>(
    name: string,
    args: JsonObject = {},
    options: CallToolOptions & { readonly output?: Schema<T> | undefined } = noOptions,
  ): Promise<CallToolResult> {
    const schema = options.output ?? known.output(name);
    const rerun = options.rerun === true && known.isRepeatable(name);
    const result = readToolResult(name, await ask("tools/call", { name, arguments: args }, options, rerun));
    return schema === undefined ? result : checkOutput(name, result, schema, options.output !== undefined);
  }

  return {
    get server() {
      const { era, version, server } = upkeep.live.session;
      const { info, capabilities, instructions } = server;
      return { era, version, info, capabilities, instructions };
    },
    listTools: async (options = noOptions) => {
      const { maxPages = defaultMaxPages } = options;
      const method = "tools/list";
      const send = (params: JsonObject): Promise<JsonObject> => ask(method, params, options);
      const tools = readTools(await readPages({ method, member: "tools", maxPages, ask: send, report }), report);
      known.learn(tools);
      return tools;
    },
    callTool: callTool as Client["callTool"],
    request: (method, params = {}, options = noOptions) => ask(method, params, options),
    notify: async (method, params = {}) => {
      const { peer } = await upkeep.ready();
      await peer.notify(method, params);
    },
    ping: (options = noOptions) => act("ping", options, false, (session, waiting) => session.ping(waiting)),
    close: upkeep.close,
  };
}
