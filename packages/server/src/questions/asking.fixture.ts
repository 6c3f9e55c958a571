import { answer, type Connection, type JsonObject, type Principal, type RequestOptions } from "@parlance/jsonrpc";
import {
  type Call,
  createServer,
  type FeatureSet,
  handshake,
  type OnError,
  type QuestionsOptions,
  questions,
  type Server,
  stateless,
} from "../index.js";

// What the tests of questions speak through; no part of the package.

/** What a caller reads: a result or an error. */
export interface Reply {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
  readonly result?: any;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export const everything: JsonObject = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {}, context: {} },
  roots: {},
};

export interface Tool {
  readonly name: string;
  run(call: Call): string | Promise<string>;
}

/** Tools without schemas; a registry has more to say, and is not of this package. */
export function toolSet(tools: readonly Tool[]): FeatureSet {
  return {
    capabilities: { tools: {} },
    methods: {
      "tools/call": async (call) => {
        const text = await tools.find(({ name }) => name === call.params["name"])?.run(call);
        return { type: "complete", result: { content: [{ type: "text", text }] } };
      },
    },
  };
}

export function askingServer(tools: readonly Tool[], options?: QuestionsOptions, onError?: OnError): Server {
  return createServer({
    info: { name: "asking", version: "1.0.0" },
    features: [toolSet(tools), questions(options)],
    eras: [stateless(), handshake()],
    onError,
  });
}

/** One round of a call, by itself. */
export async function round(
  server: Server,
  params: JsonObject,
  { capabilities = everything, principal }: { capabilities?: JsonObject; principal?: Principal | undefined } = {},
): Promise<Reply> {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  };
  const request = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { ...params, _meta } };
  return JSON.parse((await answer(server, JSON.stringify(request), { principal })) ?? "null");
}

export type Ask = (method: string, params: JsonObject, options?: RequestOptions) => JsonObject | Promise<JsonObject>;

/** A call in a session whose client answers, all rounds of it. */
export async function session(
  server: Server,
  params: JsonObject,
  ask: Ask,
  protocolVersion = "2025-11-25",
  capabilities: JsonObject = everything,
): Promise<Reply> {
  const connection: Connection = { closed: new AbortController().signal };
  const send = async (message: JsonObject): Promise<Reply> => {
    const request = async (method: string, asked: JsonObject, options?: RequestOptions): Promise<JsonObject> =>
      ask(method, JSON.parse(JSON.stringify(asked)), options);
    return JSON.parse(
      (await answer(server, JSON.stringify({ jsonrpc: "2.0", ...message }), { connection, request })) ?? "null",
    );
  };
  const clientInfo = { name: "c", version: "1" };
  await send({ id: 1, method: "initialize", params: { protocolVersion, capabilities, clientInfo } });
  await send({ method: "notifications/initialized" });
  return send({ id: 2, method: "tools/call", params });
}
