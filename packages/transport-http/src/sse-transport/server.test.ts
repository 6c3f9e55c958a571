import { handshake } from "@parlance/server";
import { expect, test } from "vitest";
import { toFetch } from "../fetch.js";
import { handshakeBinding } from "../handshake/server.js";
import { introduction, openSession } from "../handshake/session.fixture.js";
import type { HttpHandler } from "../index.js";
import { modern } from "../stateless/modern.fixture.js";
import { statelessBinding } from "../stateless/server.js";
import { echo, eventsOf, features, raw, serveFeatures, url } from "../wire.fixture.js";
import { sseTransportBinding } from "./server.js";

const bindings = () => [sseTransportBinding(), statelessBinding(), handshakeBinding()];

function open(handler: HttpHandler, headers: Record<string, string> = {}, signal?: AbortSignal): Promise<Response> {
  return toFetch(handler)(
    new Request(url, { headers: { accept: "text/event-stream", ...headers }, signal: signal ?? null }),
  );
}

async function connected(handler: HttpHandler, headers: Record<string, string> = {}) {
  const response = await open(handler, headers);
  const events = eventsOf(response);
  const endpoint = await events.next();
  const at = new URL(endpoint?.data ?? "", url).href;
  const post = (message: unknown, more: Record<string, string> = headers): Promise<Response> =>
    raw(handler, JSON.stringify(message), { at, headers: { accept: undefined, ...more } });
  return { response, events, endpoint, post, at };
}

test("SSE-01, SSE-02: a GET opens a stream, whose first event is the URL that messages go to", async () => {
  const { handler } = serveFeatures(echo, { bindings: bindings() });
  const { response, endpoint, events } = await connected(handler);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
  expect(endpoint).toEqual({ event: "endpoint", data: expect.stringMatching(/^\/mcp\?sse-session=[0-9a-f-]{36}$/) });
  await events.cancel();
});

test("SSE-04, SSE-09: messages of the server are events, responses too; a POST is answered by 202 and nothing", async () => {
  const { handler } = serveFeatures(echo, { bindings: bindings() });
  const { events, post, at } = await connected(handler);
  const opened = await post(introduction("2024-11-05"));
  expect([opened.status, await opened.text()]).toEqual([202, ""]);
  expect(await events.next()).toMatchObject({ event: "message", data: expect.stringContaining("2024-11-05") });
  await post({ jsonrpc: "2.0", method: "notifications/initialized" });
  await post({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "x" } });
  expect(await events.message()).toMatchObject({ id: 1, result: { content: [{ text: "x" }] } });
  expect((await raw(handler, "{", { at })).status).toBe(400);
  expect((await raw(handler, "{}", { at: `${at}0` })).status).toBe(400);
  const ping = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "ping" });
  expect((await raw(handler, ping, { at: `${at}0` })).status).toBe(404);
  await events.cancel();
  expect((await raw(handler, ping, { at })).status).toBe(404);
});

test("SSE-05, SSE-06: both endpoints check where a call comes from and who calls", async () => {
  const auth = async ({ headers }: { headers: { get(name: string): string | null } }) => {
    const id = headers.get("authorization");
    return id === null ? ({ status: 401, headers: {} } as const) : { id, scopes: [] };
  };
  const { handler } = serveFeatures(echo, { bindings: bindings(), auth });
  const { post, events } = await connected(handler, { authorization: "a" });
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
  expect((await open(handler, { authorization: "a", origin: "http://evil.example" })).status).toBe(403);
  expect((await post(ping, { authorization: "a", origin: "http://evil.example" })).status).toBe(403);
  expect((await open(handler)).status).toBe(401);
  expect((await post(ping, {})).status).toBe(401);
  expect((await post(ping, { authorization: "b" })).status).toBe(404);
  expect((await post(ping, { authorization: "a" })).status).toBe(202);
  await events.cancel();
});

test("SSE-11: a newer version may be agreed on, and questions are answered by POST", async () => {
  const { handler } = serveFeatures(
    features({
      "tools/call": (call) =>
        call.inputResponses === undefined
          ? {
              type: "input_required",
              inputRequests: { q: { method: "elicitation/create", params: { message: "?", requestedSchema: {} } } },
            }
          : { type: "complete", result: { content: [] } },
    }),
    { bindings: bindings() },
    { eras: [handshake({ versions: ["2025-06-18"] })] },
  );
  const { events, post } = await connected(handler);
  await post(introduction("2025-06-18", { elicitation: {} }));
  expect(await events.message()).toMatchObject({ result: { protocolVersion: "2025-06-18" } });
  await post({ jsonrpc: "2.0", method: "notifications/initialized" });
  await post({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "x" } });
  const asked = await events.message();
  await post({ jsonrpc: "2.0", id: asked["id"], result: { action: "decline" } });
  expect(await events.message()).toMatchObject({ id: 1, result: {} });
  expect((await post([{ jsonrpc: "2.0", id: 2, method: "ping" }])).status).toBe(202);
  expect(await events.message()).toMatchObject({ error: { code: -32600 } });
  await events.cancel();
});

test("SSE-14: one URL serves clients of all three transports", async () => {
  const { handler } = serveFeatures(echo, { bindings: bindings() });
  const { events } = await connected(handler);
  const session = await openSession(handler);
  expect((await session.call("tools/call", { name: "x" })).status).toBe(200);
  expect((await modern(handler, "tools/call", { name: "x" })).status).toBe(200);
  const stream = await session.get();
  expect(stream.status).toBe(200);
  await stream.body?.cancel();
  await events.cancel();
});

test("SSE-13: without being switched on it is not there", async () => {
  const { handler } = serveFeatures(echo);
  expect((await open(handler)).status).toBe(400);
});

test("a stream that is cut ends its session, and what runs in it", async () => {
  let aborted = (): void => undefined;
  const stopped = new Promise<void>((resolve) => {
    aborted = resolve;
  });
  const { handler } = serveFeatures(
    features({
      "tools/call": ({ signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => {
            aborted();
            reject(signal.reason);
          });
        }),
    }),
    { bindings: bindings() },
  );
  const { events, post } = await connected(handler);
  await post(introduction("2024-11-05"));
  await events.message();
  await post({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "x" } });
  await events.cancel();
  await stopped;
  expect((await post({ jsonrpc: "2.0", id: 2, method: "ping" })).status).toBe(404);
});
