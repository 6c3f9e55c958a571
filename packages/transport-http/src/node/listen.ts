import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { LocalError } from "@parlance/jsonrpc";
import { isPromise } from "@parlance/jsonrpc/respond";
import { isLoopback } from "../host.js";
import type { HttpHandler, HttpReply, HttpRequest } from "../http.js";
import { refusal } from "../reply.js";
import { sendReply } from "./reply.js";
import { NodeRequest, parsedHeaders, rawHeaders } from "./request.js";

/**
 * What `node:http` and the frameworks on it call.
 * @stable
 */
export type NodeListener = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * The handler for `node:http`, Express, Fastify and whatever else hands over Node's own objects.
 * A body that a framework has parsed (`request.body`) is taken over, not read again.
 * @stable
 */
export function toNodeListener(handler: HttpHandler): NodeListener {
  return (message, response) =>
    answer(handler, new NodeRequest(message, response, parsedHeaders(message)), message, response);
}

function answer(handler: HttpHandler, request: HttpRequest, message: IncomingMessage, response: ServerResponse): void {
  const reply = handler.answer(request);
  if (isPromise(reply))
    void reply.then((settled) => send(settled, message, response)); // never rejects
  else send(reply, message, response);
}

function send(reply: HttpReply, message: IncomingMessage, response: ServerResponse): void {
  // a framework that lost its patience may have answered
  if (response.headersSent && typeof reply.body !== "function") return;
  // a body left unread would be taken for the next request of the connection
  if (!message.complete && reply.status >= 400) response.setHeader("connection", "close");
  sendReply(reply, response)?.catch(() => response.destroy()); // what broke after its head was sent can only be cut
}

/**
 * Where `listen` listens.
 * @stable
 */
export interface ListenOptions {
  /** Default 0: any free port. */
  readonly port?: number | undefined;
  /** The address to bind. Default `127.0.0.1`. */
  readonly host?: string | undefined;
  /** The one path that is served; others get 404. Default `/mcp`. */
  readonly path?: string | undefined;
}

/**
 * A server that listens.
 * @stable
 */
export interface Listening {
  /** Where clients reach it. */
  readonly url: string;
  readonly port: number;
  readonly server: Server;
  /** Stops listening, closes the handler (its calls get their time), then ends every connection. Idempotent. */
  close(): Promise<void>;
}

/** The address that only this machine reaches. */
const defaultHost = "127.0.0.1";
const defaultPath = "/mcp";
/** Longer than proxies keep a connection that is idle, so that it is never this side that closes one in use. */
const keepAliveTimeoutMs = 75_000;

/**
 * Serves the handler on a port of its own.
 * @throws LocalError `INVALID_ARGUMENT` when others could reach it though nobody is asked who they are · `UNREACHABLE` when the port cannot be bound
 * @stable
 */
export async function listen(handler: HttpHandler, options: ListenOptions = {}): Promise<Listening> {
  const { port = 0, host = defaultHost, path = defaultPath } = options;
  // an address of version 6 stands in brackets in a URL
  const named = host.includes(":") ? `[${host}]` : host;
  if (handler.loopbackOnly && !isLoopback(named)) {
    throw new LocalError(
      "INVALID_ARGUMENT",
      `host ${JSON.stringify(host)} is reachable from other machines, and anonymous() lets everybody call: give \`auth\` a guard, or say anonymous({ public: true })`,
    );
  }
  const notHere = refusal(404, `There is nothing at this path; the server is at ${path}`);
  const server = createServer((message, response) => {
    // nobody but Node has touched these headers, so that they can be read as they came
    if (isAt(path, message.url))
      answer(handler, new NodeRequest(message, response, rawHeaders(message)), message, response);
    else send(notHere, message, response);
  });
  server.keepAliveTimeout = keepAliveTimeoutMs;
  await bind(server, port, host);
  const address = server.address();
  const bound = typeof address === "object" && address !== null ? address.port : port;
  let closed: Promise<void> | undefined;
  return {
    url: `http://${named}:${bound}${path}`,
    port: bound,
    server,
    close: () => (closed ??= shut(server, handler)),
  };
}

function isAt(path: string, url = "/"): boolean {
  return url === path || (url.startsWith(path) && url[path.length] === "?");
}

/** @throws LocalError `UNREACHABLE` */
async function bind(server: Server, port: number, host: string): Promise<void> {
  try {
    await once(server.listen(port, host), "listening");
  } catch (cause) {
    const { code, message } = Object(cause);
    const why = code === "EADDRINUSE" ? "it is in use; 0 stands for any that is free" : message;
    const details = { port, host, code };
    throw new LocalError("UNREACHABLE", `port ${port} of ${host} cannot be bound: ${why}`, { cause, details });
  }
}

async function shut(server: Server, handler: HttpHandler): Promise<void> {
  const ended = new Promise<void>((resolve) => server.close(() => resolve()));
  await handler.close();
  server.closeAllConnections();
  await ended;
}
