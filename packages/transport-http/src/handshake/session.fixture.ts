import type { JsonObject } from "@parlance/jsonrpc";
import { toFetch } from "../fetch.js";
import type { HttpHandler } from "../http.js";
import { type PostOptions, raw, request } from "../wire.fixture.js";

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
      toFetch(handler)(request(undefined, { accept: "text/event-stream" }, merged({ method: "GET", ...more }))),
    end: (more = {}) => toFetch(handler)(request(undefined, {}, merged({ method: "DELETE", ...more }))),
  };
  if (id !== "") await session.post({ jsonrpc: "2.0", method: "notifications/initialized" });
  return session;
}
