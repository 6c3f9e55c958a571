import { type JsonObject, LocalError } from "@parlance/jsonrpc";
import type { CallResult, CallToolResult, Session } from "@parlance/protocol-versions";
import type { CallToolOptions, Client, TypedToolResult } from "./client.js";
import { type Inner, inner } from "./inner.js";
import { readAll } from "./list.js";
import { checkAnnounced } from "./need.js";
import type { Schema } from "./schema.js";
import { checkOutput, readToolResult, toolList } from "./tools.js";
import { type RequestOptions, Waiting } from "./waiting.js";

type CallToolWith = CallToolOptions & { readonly output?: Schema<unknown> | undefined };
const noOptions: CallToolWith = {};

export function createClient(parts: Inner): Client {
  const { upkeep, defaults, schemas, finish } = parts;

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
      return parts.send(session, method, meta === undefined ? params : { ...params, _meta: meta }, waiting);
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
    [inner]: parts,
    get server() {
      const { era, version, server } = upkeep.live.session;
      const { info, capabilities, instructions } = server;
      return { era, version, info, capabilities, instructions };
    },
    listTools: async (options = noOptions) => {
      const tools = await readAll(client, toolList, options);
      upkeep.learn?.(tools);
      schemas?.learn(tools);
      return tools;
    },
    callTool,
    request: (method, params = {}, options = noOptions) => ask(method, params, options, same),
    notify: async (method, params = {}) => (await upkeep.ready()).peer.notify(method, params),
    ping: (options = noOptions) => act("ping", options, (session, waiting) => session.ping(waiting), same),
    close: () => {
      for (const end of parts.closing) end();
      return upkeep.close();
    },
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
