import type { JsonObject } from "@parlance/jsonrpc";
import { type Feature, type FeatureSet, questions } from "@parlance/protocol-versions";
import { createServer, type Server, type ServerOptions } from "@parlance/server";
import { createHttpHandler } from "./handler.js";
import { anonymous, type HttpHandler, type HttpHandlerOptions } from "./index.js";
import type { HttpReport } from "./report.js";

export const url = "http://127.0.0.1:3000/mcp";
export const modernVersion = "2026-07-28";
export const both = "application/json, text/event-stream";

export const envelope: JsonObject = {
  "io.modelcontextprotocol/protocolVersion": modernVersion,
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** What a test's server does, by method; it may ask the caller. */
export function features(methods: Readonly<Record<string, Feature>>): FeatureSet {
  return { ...questions(), capabilities: { tools: { listChanged: true } }, methods };
}

/** Answers every `tools/call` with the name it was called by. */
export const echo: FeatureSet = features({
  "tools/call": ({ params }) => ({
    type: "complete",
    result: { content: [{ type: "text", text: String(params["name"]) }] },
  }),
});

export interface Served {
  readonly server: Server;
  readonly handler: HttpHandler;
  readonly reports: readonly HttpReport[];
}

/** A server of these features, and a handler that everybody may call. */
export function serveFeatures(
  feature: FeatureSet,
  options: Partial<HttpHandlerOptions> = {},
  serverOptions: Partial<ServerOptions> = {},
): Served {
  const reports: HttpReport[] = [];
  const server = createServer({ info: { name: "test", version: "1.0.0" }, features: [feature], ...serverOptions });
  const handler = createHttpHandler(server, {
    auth: anonymous(),
    report: (report) => void reports.push(report),
    ...options,
  });
  return { server, handler, reports };
}

export interface PostOptions {
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly at?: string | undefined;
  readonly method?: string | undefined;
}

function request(body: string | undefined, standard: Readonly<Record<string, string>>, options: PostOptions): Request {
  const headers = new Headers(standard);
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    if (value === undefined) headers.delete(name);
    else headers.set(name, value);
  }
  const { at = url, method = "POST", signal = null } = options;
  return new Request(at, { method, headers, signal, ...(body !== undefined && { body }) });
}

/** A POST of any text, with the headers that every client sends. */
export function raw(handler: HttpHandler, body: string, options: PostOptions = {}): Promise<Response> {
  return handler.fetch(request(body, { "content-type": "application/json", accept: both }, options));
}

/** A request of the stateless era with all its headers. */
export function modern(
  handler: HttpHandler,
  method: string,
  params: JsonObject = {},
  options: PostOptions & { readonly id?: string | number } = {},
): Promise<Response> {
  const named = params["name"] ?? params["uri"];
  const headers = {
    "mcp-protocol-version": modernVersion,
    "mcp-method": method,
    "mcp-name": typeof named === "string" ? named : undefined,
    ...options.headers,
  };
  const body = { jsonrpc: "2.0", id: options.id ?? 1, method, params: { _meta: envelope, ...params } };
  return raw(handler, JSON.stringify(body), { ...options, headers });
}

export interface SessionOptions extends PostOptions {
  readonly version?: string | undefined;
  readonly capabilities?: JsonObject | undefined;
}

export interface TestSession {
  readonly id: string;
  readonly version: string;
  readonly opened: Response;
  /** POSTs one message of the session. */
  post(message: unknown, options?: PostOptions): Promise<Response>;
  call(
    method: string,
    params?: JsonObject,
    options?: PostOptions & { readonly id?: string | number },
  ): Promise<Response>;
  get(options?: PostOptions): Promise<Response>;
  end(options?: PostOptions): Promise<Response>;
}

export function introduction(version: string, capabilities: JsonObject = {}): JsonObject {
  return {
    jsonrpc: "2.0",
    id: 0,
    method: "initialize",
    params: { protocolVersion: version, capabilities, clientInfo: { name: "client", version: "1" } },
  };
}

/** Opens a session and says that it is ready. */
export async function openSession(handler: HttpHandler, options: SessionOptions = {}): Promise<TestSession> {
  const { version = "2025-11-25", capabilities } = options;
  const opened = await raw(handler, JSON.stringify(introduction(version, capabilities)), options);
  const id = opened.headers.get("mcp-session-id") ?? "";
  const shared = { ...options.headers, "mcp-session-id": id, "mcp-protocol-version": version };
  const merged = (more: PostOptions): PostOptions => ({ ...more, headers: { ...shared, ...more.headers } });
  const session: TestSession = {
    id,
    version,
    opened,
    post: (message, more = {}) => raw(handler, JSON.stringify(message), merged(more)),
    call: (method, params = {}, more = {}) => session.post({ jsonrpc: "2.0", id: more.id ?? 1, method, params }, more),
    get: (more = {}) =>
      handler.fetch(request(undefined, { accept: "text/event-stream" }, merged({ method: "GET", ...more }))),
    end: (more = {}) => handler.fetch(request(undefined, {}, merged({ method: "DELETE", ...more }))),
  };
  if (id !== "") await session.post({ jsonrpc: "2.0", method: "notifications/initialized" });
  return session;
}

export interface SseEvent {
  readonly id?: string | undefined;
  readonly event?: string | undefined;
  readonly retry?: string | undefined;
  readonly comment?: string | undefined;
  readonly data?: string | undefined;
}

/** Reads a stream event by event, as it comes. */
export function eventsOf(response: Response): {
  next(): Promise<SseEvent | undefined>;
  message(): Promise<JsonObject>;
  rest(): Promise<readonly SseEvent[]>;
  cancel(): Promise<void>;
} {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let buffer = "";
  async function next(): Promise<SseEvent | undefined> {
    for (;;) {
      const end = buffer.indexOf("\n\n");
      if (end !== -1) {
        const block = buffer.slice(0, end);
        buffer = buffer.slice(end + 2);
        return parseEvent(block);
      }
      const read = await reader?.read();
      if (read === undefined || read.done) return undefined;
      buffer += decoder.decode(read.value, { stream: true });
    }
  }
  return {
    next,
    async message() {
      for (let event = await next(); event !== undefined; event = await next()) {
        if (event.data !== undefined && event.data !== "") return JSON.parse(event.data);
      }
      throw new Error("the stream ended without a message");
    },
    async rest() {
      const events: SseEvent[] = [];
      for (let event = await next(); event !== undefined; event = await next()) events.push(event);
      return events;
    },
    cancel: async () => {
      await reader?.cancel();
    },
  };
}

function parseEvent(block: string): SseEvent {
  const fields: Record<string, string> = {};
  for (const line of block.split("\n")) {
    const [, name = "", value = ""] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    fields[name === "" ? "comment" : name] = value;
  }
  return fields;
}
