import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { Fetch } from "./fetch.js";

/** A message as it crossed the wire. */
interface Wire {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: Record<string, unknown>;
}

/** A request as a server sees it. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body, parsed; `{}` when there is none. */
  readonly message: Wire;
  readonly signal: AbortSignal;
}

export type Script = (seen: Seen) => Response | Promise<Response>;

/** A server that does what a test says, and keeps what it saw. */
export interface Scripted {
  readonly url: string;
  readonly fetch: Fetch;
  readonly seen: readonly Seen[];
  /** The methods of the messages, and of requests without one. */
  readonly methods: readonly string[];
  /** How many connections were opened. */
  readonly sockets: number;
}

function label({ method, message }: Seen): string {
  return message.method ?? (message.id === undefined ? method : "answer");
}

function look(method: string, url: string, headers: Record<string, string>, text: string, signal: AbortSignal): Seen {
  return { method, url, headers, text, message: text === "" ? {} : (JSON.parse(text) as Wire), signal };
}

/** The server as a `fetch`, so that a test may turn the clock. */
export function scripted(script: Script, url = "http://server.test/mcp"): Scripted {
  const seen: Seen[] = [];
  return {
    url,
    seen,
    sockets: 0,
    get methods() {
      return seen.map(label);
    },
    fetch: async (target, init) => {
      const signal = init.signal ?? new AbortController().signal;
      signal.throwIfAborted();
      const headers = Object.fromEntries(new Headers(init.headers));
      const request = look(init.method ?? "GET", target, headers, String(init.body ?? ""), signal);
      seen.push(request);
      return new Promise((resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        Promise.resolve(script(request)).then(resolve, reject);
      });
    },
  };
}

/** The server on a port, for as long as the test runs. */
export async function listening(script: Script): Promise<Scripted> {
  const seen: Seen[] = [];
  let sockets = 0;
  const server = createServer((message, response) => {
    void serve(message, response).catch(() => response.destroy());
  });
  server.on("connection", () => {
    sockets++;
  });

  async function serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const aborting = new AbortController();
    response.on("close", () => {
      if (!response.writableFinished) aborting.abort();
    });
    let text = "";
    for await (const chunk of message.setEncoding("utf8")) text += chunk;
    const headers = message.headers as Record<string, string>;
    const request = look(message.method ?? "", message.url ?? "", headers, text, aborting.signal);
    seen.push(request);
    const answer = await script(request);
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.flushHeaders();
    const reader = answer.body?.getReader();
    for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) response.write(next.value);
    response.end();
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    fetch: (...request) => fetch(...request),
    seen,
    get sockets() {
      return sockets;
    },
    get methods() {
      return seen.map(label);
    },
  };
}

const eventStream = { "content-type": "text/event-stream" };

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } });
}

export function result({ message }: Seen, value: unknown, headers?: Record<string, string>): Response {
  return json({ jsonrpc: "2.0", id: message.id, result: value }, 200, headers);
}

export function error({ message }: Seen, code: number, status: number, data?: unknown): Response {
  return json({ jsonrpc: "2.0", id: message.id, error: { code, message: "No", data } }, status);
}

/** A message as an event. */
export function event(message: unknown, id?: string): string {
  return `${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(message)}\n\n`;
}

/** A stream of events that ends. */
export function events(...texts: readonly string[]): Response {
  return new Response(texts.join(""), { headers: eventStream });
}

/** A stream that a test holds open. */
export interface OpenEvents {
  readonly response: Response;
  send(text: string): void;
  end(): void;
  fail(): void;
  /** Whether the reader left. */
  readonly left: boolean;
}

export function openEvents(...first: readonly string[]): OpenEvents {
  const encoder = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let left = false;
  const body = new ReadableStream<Uint8Array>({
    start: (made) => {
      controller = made;
      for (const text of first) made.enqueue(encoder.encode(text));
    },
    cancel: () => {
      left = true;
    },
  });
  return {
    response: new Response(body, { headers: eventStream }),
    send: (text) => controller?.enqueue(encoder.encode(text)),
    end: () => controller?.close(),
    fail: () => controller?.error(new Error("the cable was pulled")),
    get left() {
      return left;
    },
  };
}

export const discovered: Record<string, unknown> = {
  resultType: "complete",
  supportedVersions: ["2026-07-28"],
  capabilities: { tools: {}, resources: {}, prompts: {}, logging: {} },
  ttlMs: 0,
  cacheScope: "private",
};

export const initialized: Record<string, unknown> = {
  protocolVersion: "2025-11-25",
  capabilities: { tools: {}, resources: { subscribe: true }, logging: {} },
  serverInfo: { name: "scripted", version: "1" },
};

export const accepted = (): Response => new Response(null, { status: 202 });

/** A server of the handshake: session "s1" and so on, no stream of its own; `script` goes first. */
export function handshakes(script: (seen: Seen, session: string) => Response | Promise<Response> | undefined): Script {
  let sessions = 0;
  return (seen) => {
    const own = script(seen, `s${sessions}`);
    if (own !== undefined) return own;
    const { method } = seen.message;
    if (seen.method === "GET") return new Response(null, { status: 405, headers: { allow: "POST, DELETE" } });
    if (seen.method === "DELETE") return new Response(null, { status: 204 });
    if (method === "server/discover") return new Response("Bad Request", { status: 400 });
    if (method === "initialize") return result(seen, initialized, { "mcp-session-id": `s${++sessions}` });
    return seen.message.id === undefined || method === undefined ? accepted() : result(seen, {});
  };
}
