import { AccessError, batches } from "@parlance/jsonrpc";
import { handshake, stateless } from "@parlance/server";
import { expect, test } from "vitest";
import { toFetch } from "../fetch.js";
import { envelope, modern } from "../stateless/modern.fixture.js";
import { both, echo, eventsOf, features, raw, serveFeatures, url } from "../wire.fixture.js";
import { introduction, openSession } from "./session.fixture.js";
import { sessionlessBinding } from "./sessionless.js";

const versions = ["2025-11-25", "2025-06-18", "2025-03-26"] as const;
const all = { eras: [stateless(), handshake({ versions, batches })] };

test("HTTP-L-01, HTTP-L-08: one URL takes POST and GET, and a request is answered with one JSON object", async () => {
  for (const version of versions) {
    const { handler } = serveFeatures(echo, {}, all);
    const session = await openSession(handler, { version });
    expect(await session.opened.json()).toMatchObject({ id: 0, result: { protocolVersion: version } });
    const response = await session.call("tools/call", { name: "x" });
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(await response.json()).toEqual({
      jsonrpc: "2.0",
      id: 1,
      result: { content: [{ type: "text", text: "x" }] },
    });
    const stream = await session.get();
    expect([stream.status, stream.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    await stream.body?.cancel();
  }
});

test("HTTP-L-40, HTTP-L-41, HTTP-L-42: the answer to initialize gives a random id of visible ASCII", async () => {
  const { handler } = serveFeatures(echo);
  const ids = await Promise.all([1, 2, 3].map(async () => (await openSession(handler)).id));
  expect(new Set(ids).size).toBe(3);
  for (const id of ids) expect(id).toMatch(/^[\x21-\x7e]{36}$/);
});

test("HTTP-L-06: notifications and responses give 202 and no body", async () => {
  const { handler } = serveFeatures(echo);
  const session = await openSession(handler);
  for (const message of [
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", id: 99, result: {} },
  ]) {
    const response = await session.post(message);
    expect([response.status, await response.text(), response.headers.get("content-type")]).toEqual([202, "", null]);
  }
});

test("HTTP-L-45, HTTP-L-46: without an id it is 400, with one that is unknown or ended 404, on every method", async () => {
  const { handler } = serveFeatures(echo, {}, all);
  const session = await openSession(handler);
  const without = { "mcp-session-id": undefined };
  expect((await session.call("tools/call", {}, { headers: without })).status).toBe(400);
  expect((await session.get({ headers: without })).status).toBe(400);
  expect((await session.end({ headers: without })).status).toBe(400);
  const unknown = { "mcp-session-id": "never" };
  expect((await session.call("tools/call", {}, { headers: unknown })).status).toBe(404);
  expect((await session.end()).status).toBe(204);
  expect((await session.call("tools/call", {})).status).toBe(404);
  expect((await session.post({ jsonrpc: "2.0", method: "notifications/initialized" })).status).toBe(404);
  expect((await session.get()).status).toBe(404);
  expect((await session.end()).status).toBe(404);
});

test("HTTP-L-52: initialize with the id of no session opens a new one, with that of a living one it is 400", async () => {
  const { handler } = serveFeatures(echo);
  const session = await openSession(handler);
  const again = (id: string): Promise<Response> =>
    raw(handler, JSON.stringify(introduction("2025-11-25")), { headers: { "mcp-session-id": id } });
  expect((await again(session.id)).status).toBe(400);
  const fresh = await again("gone");
  expect(fresh.status).toBe(200);
  expect(fresh.headers.get("mcp-session-id")).not.toBe("gone");
});

test("BUG-53, BUG-165: a version header on initialize, or none, decides nothing", async () => {
  const { handler } = serveFeatures(echo, {}, { eras: [handshake({ versions: ["2025-06-18"] })] });
  for (const header of [undefined, "2025-11-25", "2025-06-18"]) {
    const opened = await raw(handler, JSON.stringify(introduction("2025-11-25")), {
      headers: { "mcp-protocol-version": header },
    });
    expect(opened.status).toBe(200);
    expect(await opened.json()).toMatchObject({ result: { protocolVersion: "2025-06-18" } });
  }
});

test("HTTP-L-55, BUG-54: a version header that is invalid, unsupported or another session's is 400", async () => {
  const { handler } = serveFeatures(echo);
  const session = await openSession(handler);
  for (const version of ["banana", "1999-01-01", "2025-06-18", ""]) {
    const headers = { "mcp-protocol-version": version };
    expect((await session.call("tools/call", {}, { headers })).status).toBe(400);
    expect((await session.get({ headers })).status).toBe(400);
    expect((await session.end({ headers })).status).toBe(400);
  }
  expect((await session.call("tools/call", { name: "x" })).status).toBe(200);
});

test("HTTP-L-56: without the header a session is in its own version; without a session the oldest is assumed", async () => {
  const { handler } = serveFeatures(echo);
  const headers = { "mcp-protocol-version": undefined };
  const session = await openSession(handler, { version: "2025-06-18" });
  expect((await session.call("tools/call", { name: "x" }, { headers })).status).toBe(200);
  const bindings = [sessionlessBinding()];
  const batch = JSON.stringify([{ jsonrpc: "2.0", id: 1, method: "ping" }]);
  const request = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "x" } });
  const old = serveFeatures(echo, { bindings }, all).handler;
  expect(await (await raw(old, request)).json()).toMatchObject({ id: 1, result: {} });
  expect(await (await raw(old, batch)).json()).toEqual([{ jsonrpc: "2.0", id: 1, result: {} }]);
  const newer = serveFeatures(
    features({ "tools/call": ({ version }) => ({ type: "complete", result: { content: [], version } }) }),
    { bindings },
  ).handler;
  expect(await (await raw(newer, request)).json()).toMatchObject({ id: 1, result: { version: "2025-06-18" } });
  expect((await raw(newer, batch)).status).toBe(400);
});

test("a server without sessions gives none, has no GET, and takes each request under the version it names", async () => {
  const { handler } = serveFeatures(echo, { bindings: [sessionlessBinding()] });
  const session = await openSession(handler);
  expect(session.opened.headers.get("mcp-session-id")).toBeNull();
  expect(await session.opened.json()).toMatchObject({ result: { capabilities: { tools: {} } } });
  const headers = { "mcp-session-id": undefined };
  expect((await session.call("tools/call", { name: "x" }, { headers })).status).toBe(200);
  expect((await session.call("no/such", {}, { headers })).status).toBe(200);
  const unsupported = await session.call("tools/call", {}, { headers: { "mcp-protocol-version": "2025-03-26" } });
  expect([unsupported.status, await unsupported.json()]).toMatchObject([400, { id: 1, error: { code: -32600 } }]);
  expect((await session.get({ headers })).status).toBe(405);
  expect((await session.post({ jsonrpc: "2.0", method: "notifications/initialized" }, { headers })).status).toBe(202);
});

test("HTTP-L-24, HTTP-L-50: a server of sessions has a GET stream, one without has 405, for DELETE too", async () => {
  const { handler } = serveFeatures(echo, { bindings: [sessionlessBinding()] });
  for (const method of ["GET", "DELETE"]) {
    const response = await toFetch(handler)(new Request(url, { method, headers: { accept: "text/event-stream" } }));
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
  }
});

test("without sessions a request still hears its progress, on the stream that ends with its answer", async () => {
  const complete = { type: "complete", result: { content: [] } } as const;
  const { handler } = serveFeatures(features({ "tools/call": (call) => call.progress(1).then(() => complete) }), {
    bindings: [sessionlessBinding()],
  });
  const session = await openSession(handler);
  const response = await session.call("tools/call", { name: "x", _meta: { progressToken: 7 } });
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const events = await eventsOf(response).rest();
  expect(events.map(({ data }) => JSON.parse(data ?? ""))).toMatchObject([
    { method: "notifications/progress", params: { progressToken: 7, progress: 1 } },
    { id: 1, result: { content: [] } },
  ]);
});

test("an unknown method is told in the answer, and never by 404, which would end the session", async () => {
  const { handler } = serveFeatures(echo);
  const session = await openSession(handler);
  const response = await session.call("no/such");
  expect([response.status, await response.json()]).toMatchObject([200, { id: 1, error: { code: -32601 } }]);
});

test("HTTP-L-05: a session of 2025-03-26 takes arrays, and answers them with one; others refuse them", async () => {
  const { handler } = serveFeatures(echo, {}, all);
  const old = await openSession(handler, { version: "2025-03-26" });
  const call = (id: number): object => ({ jsonrpc: "2.0", id, method: "tools/call", params: { name: String(id) } });
  const answered = await old.post([
    call(1),
    { jsonrpc: "2.0", method: "notifications/x" },
    call(2),
    { jsonrpc: "2.0", id: 3 },
  ]);
  expect(await answered.json()).toMatchObject([
    { id: 1, result: {} },
    { id: 2, result: {} },
    { id: 3, error: { code: -32600 } },
  ]);
  const taken = await old.post([
    { jsonrpc: "2.0", method: "notifications/x" },
    { jsonrpc: "2.0", id: 9, result: {} },
  ]);
  expect([taken.status, await taken.text()]).toEqual([202, ""]);
  expect((await old.post([])).status).toBe(400);
  const newer = await openSession(handler, { version: "2025-06-18" });
  const refused = await newer.post([call(1)]);
  expect([refused.status, await refused.json()]).toMatchObject([400, { error: { code: -32600 } }]);
});

test("JR-07: an id that is in use in this session is refused, in another it is of no concern", async () => {
  let finish = (): void => undefined;
  const waited = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const { handler } = serveFeatures(
    features({ "tools/call": async () => waited.then(() => ({ type: "complete", result: { content: [] } })) }),
  );
  const [one, two] = [await openSession(handler), await openSession(handler)];
  const first = one.call("tools/call", { name: "x" });
  const other = two.call("tools/call", { name: "x" });
  const again = await one.call("tools/call", { name: "x" });
  expect(again.status).toBe(400);
  const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };
  await two.post(cancel);
  expect(await (await other).text()).toBe("");
  finish();
  expect(await (await first).json()).toMatchObject({ id: 1, result: {} });
});

test("HTTP-L-58, HTTP-L-59, SEC-02, BUG-133: a session is no proof: it serves who opened it, each request is verified, and a new token of the same caller is fine", async () => {
  const users: Record<string, string> = { a1: "a", a2: "a", b1: "b" };
  const auth = async ({ headers }: { headers: { get(name: string): string | null } }) => {
    const id = users[headers.get("authorization") ?? ""];
    return id === undefined ? ({ status: 401, headers: {} } as const) : { id, scopes: [] };
  };
  const { handler } = serveFeatures(echo, { auth });
  const session = await openSession(handler, { headers: { authorization: "a1" } });
  const as = (authorization: string | undefined) => ({ headers: { authorization } });
  expect((await session.call("tools/call", { name: "x" }, as("a2"))).status).toBe(200);
  for (const send of [
    (who: string | undefined) => session.call("tools/call", { name: "x" }, as(who)),
    (who: string | undefined) => session.get(as(who)),
    (who: string | undefined) => session.end(as(who)),
  ]) {
    expect((await send("b1")).status).toBe(404);
    expect((await send(undefined)).status).toBe(401);
  }
  expect((await session.call("tools/call", { name: "x" })).status).toBe(200);
});

test("a refusal for want of scope has its status and challenge in this era too", async () => {
  const { handler } = serveFeatures(
    features({
      "tools/call": () => {
        throw new AccessError("INSUFFICIENT_SCOPE", "needs more", { scopes: ["more"] });
      },
    }),
  );
  expect((await (await openSession(handler)).call("tools/call", { name: "x" })).status).toBe(403);
  expect((await modern(handler, "tools/call", { name: "x", _meta: envelope })).status).toBe(403);
});

test("a caller that takes only events gets even the session by them", async () => {
  const { handler } = serveFeatures(echo);
  const session = await openSession(handler, { headers: { accept: "text/event-stream" } });
  expect(session.opened.headers.get("mcp-session-id")).toBe(session.id);
  expect(await session.opened.text()).toMatch(/^event: message\ndata: \{"jsonrpc":"2.0","id":0,/);
  const response = await session.call("tools/call", { name: "x" });
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  expect((await session.get({ headers: { accept: "application/json" } })).status).toBe(406);
  expect((await session.get({ headers: { accept: both } })).status).toBe(200);
});
