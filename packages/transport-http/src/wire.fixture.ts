import type { JsonObject } from "@parlance/jsonrpc";
import { announcing, type Feature, type FeatureSet, questions } from "@parlance/protocol-versions";
import { createServer, type Server, type ServerOptions } from "@parlance/server";
import { createHttpHandler } from "./handler.js";
import { anonymous, type HttpHandler, type HttpHandlerOptions, toFetch } from "./index.js";
import type { HttpReport } from "./report.js";

export const url = "http://127.0.0.1:3000/mcp";
export const both = "application/json, text/event-stream";

/** What a test's server does, by method; it may ask the caller. */
export function features(methods: Readonly<Record<string, Feature>>): FeatureSet {
  return {
    ...questions(),
    ...announcing,
    capabilities: { tools: {} },
    promises: { tools: { listChanged: true } },
    methods,
  };
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

/** A request with the headers of every client, and those of one test. */
export function request(
  body: string | undefined,
  standard: Readonly<Record<string, string>>,
  options: PostOptions,
): Request {
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
  return toFetch(handler)(request(body, { "content-type": "application/json", accept: both }, options));
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
