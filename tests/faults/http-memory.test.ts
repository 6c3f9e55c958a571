import {
  changesOf,
  createServer,
  handshake,
  listening,
  type Server,
  type ServerOptions,
  stateless,
} from "@parlance/server";
import { anonymous, createHttpHandler, type HttpHandler, handshakeBinding, toFetch } from "@parlance/transport-http";
import { expect, test, vi } from "vitest";
import { heapBytes } from "./census.js";
import { limitMs } from "./scale.js";

const mebibyte = 1024 * 1024;
const url = "http://127.0.0.1/mcp";
const json = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const clientInfo = { name: "test", version: "1.0.0" };

function serverOf(eras: ServerOptions["eras"]): Server {
  const promises = { tools: { listChanged: true } };
  return createServer({
    info: { name: "test", version: "1.0.0" },
    features: [{ capabilities: { tools: {} }, promises, methods: {} }, listening()],
    eras,
  });
}

function post(handler: HttpHandler, message: object, more: Record<string, string> = {}): Promise<Response> {
  const body = JSON.stringify({ jsonrpc: "2.0", ...message });
  return toFetch(handler)(new Request(url, { method: "POST", headers: { ...json, ...more }, body }));
}

async function openSession(handler: HttpHandler): Promise<Record<string, string>> {
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const { headers } = await post(handler, { id: 1, method: "initialize", params });
  const named = { "mcp-session-id": headers.get("mcp-session-id") ?? "" };
  await post(handler, { method: "notifications/initialized" }, named);
  return named;
}

test("HTTP-L-53: 20,000 sessions that are abandoned leave nothing behind once they expired", {
  timeout: 4 * limitMs,
}, async () => {
  const count = 20_000;
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    let now = 0;
    const binding = handshakeBinding({ maxSessions: count, idleMs: 1_000, now: () => now });
    const handler = createHttpHandler(serverOf([handshake()]), { auth: anonymous(), bindings: [binding] });
    for (let n = 0; n < 100; n++) await openSession(handler);
    now += 1_000;
    await vi.advanceTimersByTimeAsync(1_000);
    const before = heapBytes();
    for (let n = 0; n < count; n++) await openSession(handler);
    expect((heapBytes() - before) / count).toBeGreaterThan(500);
    expect((await post(handler, { id: 1, method: "initialize", params: {} })).status).toBe(429);
    now += 1_000;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(vi.getTimerCount()).toBe(0);
    expect(heapBytes() - before).toBeLessThan(mebibyte);
    await handler.close();
  } finally {
    vi.useRealTimers();
  }
});

const listens = {
  "a session": async (handler: HttpHandler): Promise<Response> => {
    const headers = { ...(await openSession(handler)), accept: "text/event-stream" };
    return toFetch(handler)(new Request(url, { headers }));
  },
  "subscriptions/listen": (handler: HttpHandler): Promise<Response> => {
    const version = "2026-07-28";
    const prefix = "io.modelcontextprotocol/";
    const meta = { [`${prefix}protocolVersion`]: version, [`${prefix}clientCapabilities`]: {} };
    const params = { notifications: { toolsListChanged: true }, _meta: meta };
    const headers = { "mcp-protocol-version": version, "mcp-method": "subscriptions/listen" };
    return post(handler, { id: 1, method: "subscriptions/listen", params }, headers);
  },
};

test.each(Object.entries(listens))(
  "BUG-123: 1,000 streams of %s that are cut leave nothing behind",
  { timeout: 4 * limitMs },
  async (_, open) => {
    const count = 1_000;
    const server = serverOf([stateless(), handshake()]);
    const handler = createHttpHandler(server, { auth: anonymous(), maxStreams: count });

    /** Opens them all, so that there is a place for no other, tells them something, and cuts them. */
    async function round(): Promise<void> {
      const readers = [];
      for (let n = 0; n < count; n++) {
        const { status, body } = await open(handler);
        expect(status).toBe(200);
        readers.push(body?.getReader());
      }
      expect((await open(handler)).status).toBe(429);
      changesOf(server).tools();
      for (const reader of readers) {
        const { value } = (await reader?.read()) ?? {};
        expect(value?.byteLength).toBeGreaterThan(0);
        await reader?.cancel();
      }
    }

    await round();
    const before = heapBytes();
    for (let n = 0; n < 3; n++) await round();
    // a session of a stream that was cut lives on, and takes about a kibibyte
    const sessions = open === listens["a session"] ? 3 * count * 1_500 : 0;
    expect(heapBytes() - before).toBeLessThan(mebibyte + sessions);
    await handler.close();
  },
);
