import type { Feature, Outcome } from "@parlance/protocol-versions";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { toFetch } from "./fetch.js";
import { handshakeBinding } from "./handshake/server.js";
import { introduction, openSession } from "./handshake/session.fixture.js";
import { sseTransportBinding } from "./sse-transport/server.js";
import { envelope, modern } from "./stateless/modern.fixture.js";
import { statelessBinding } from "./stateless/server.js";
import { eventsOf, features, raw, serveFeatures, url } from "./wire.fixture.js";

const done: Outcome = { type: "complete", result: { content: [] } };
const progressing = { name: "x", _meta: { ...envelope, progressToken: 1 } };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function held(): {
  readonly feature: Feature;
  readonly open: () => void;
  readonly aborted: () => boolean;
  readonly begun: Promise<void>;
} {
  let open = (): void => undefined;
  let begin = (): void => undefined;
  let aborted = false;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  return {
    open,
    begun,
    aborted: () => aborted,
    feature: async (call) => {
      call.signal.addEventListener("abort", () => {
        aborted = true;
      });
      await call.progress(1);
      begin();
      await opened;
      return done;
    },
  };
}

test("a closing handler takes no new requests and waits for those that run, streams and all", async () => {
  const { feature, open, begun } = held();
  const { handler } = serveFeatures(features({ "tools/call": feature }));
  const session = await openSession(handler);
  const listening = eventsOf(await session.get());
  const plain = modern(handler, "tools/call", { name: "x" });
  const streamed = eventsOf(await modern(handler, "tools/call", progressing));
  await begun;
  let closed = false;
  const closing = handler.close().then(() => {
    closed = true;
  });
  expect(await listening.rest()).toEqual([]);
  const refused = await modern(handler, "tools/call", { name: "x" });
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
  expect((await session.get()).status).toBe(503);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(closed).toBe(false);
  open();
  expect(await (await plain).json()).toMatchObject({ id: 1, result: {} });
  expect(await streamed.rest()).toHaveLength(2);
  await closing;
  expect((await session.call("tools/call")).status).toBe(503);
  await handler.close();
});

test("while it closes, the answer to a question still gets through", async () => {
  const { handler } = serveFeatures(
    features({
      "tools/call": (call) =>
        call.inputResponses === undefined
          ? {
              type: "input_required",
              inputRequests: { q: { method: "elicitation/create", params: { message: "?", requestedSchema: {} } } },
            }
          : done,
    }),
  );
  const session = await openSession(handler, { capabilities: { elicitation: {} } });
  const events = eventsOf(await session.call("tools/call", { name: "x" }));
  const asked = await events.message();
  const closing = handler.close();
  const answered = await session.post({ jsonrpc: "2.0", id: asked["id"], result: { action: "decline" } });
  expect(answered.status).toBe(202);
  expect(await events.message()).toMatchObject({ id: 1, result: {} });
  expect(await events.next()).toBeUndefined();
  await closing;
});

test("what outlasts drainMs is aborted: streams end, and what was not answered gets 503", async () => {
  for (const era of ["stateless", "handshake"] as const) {
    const { feature, aborted, begun } = held();
    const { handler } = serveFeatures(features({ "tools/call": feature }), { drainMs: 1_000 });
    const call =
      era === "stateless"
        ? (params: object) => modern(handler, "tools/call", { ...params })
        : await openSession(handler).then((session) => {
            let id = 0;
            return (params: object) => session.call("tools/call", { ...params }, { id: ++id });
          });
    const plain = call({ name: "x" });
    const streamed = eventsOf(
      await call(era === "stateless" ? progressing : { name: "x", _meta: { progressToken: 1 } }),
    );
    await begun;
    const closing = handler.close();
    await vi.advanceTimersByTimeAsync(1_000);
    await closing;
    expect(aborted()).toBe(true);
    expect((await plain).status).toBe(503);
    expect(await streamed.rest()).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  }
});

test("a call has as long as it takes where drainMs is Infinity", async () => {
  const { feature, open, aborted, begun } = held();
  const { handler } = serveFeatures(features({ "tools/call": feature }), { drainMs: Number.POSITIVE_INFINITY });
  const call = modern(handler, "tools/call", { name: "x" });
  await begun;
  const closing = handler.close();
  await vi.advanceTimersByTimeAsync(14_000);
  open();
  expect((await call).status).toBe(200);
  await closing;
  expect(aborted()).toBe(false);
});

test("a stream of the old transport ends behind the answers that are still to come", async () => {
  const { feature, open, begun } = held();
  const { handler } = serveFeatures(features({ "tools/call": feature }), { bindings: [sseTransportBinding()] });
  const accept = { headers: { accept: "text/event-stream" } };
  const [idle, busy] = [
    eventsOf(await toFetch(handler)(new Request(url, accept))),
    eventsOf(await toFetch(handler)(new Request(url, accept))),
  ];
  await idle.next();
  const at = new URL((await busy.next())?.data ?? "", url).href;
  await raw(handler, JSON.stringify(introduction("2024-11-05")), { at });
  await busy.message();
  await raw(handler, JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "x" } }), { at });
  await begun;
  const closing = handler.close();
  await vi.advanceTimersByTimeAsync(1);
  expect(await idle.rest()).toEqual([]);
  open();
  await vi.advanceTimersByTimeAsync(1);
  expect(await busy.message()).toMatchObject({ id: 1, result: {} });
  expect(await busy.rest()).toEqual([]);
  await closing;
});

test("HTTP-M-22, BUG-52: a silent stream gets a comment now and then, and one that speaks does not", async () => {
  const { feature, begun } = held();
  const { handler } = serveFeatures(features({ "tools/call": feature }));
  const events = eventsOf(await modern(handler, "tools/call", progressing));
  await begun;
  expect(await events.next()).toMatchObject({ data: expect.stringContaining("progress") });
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await events.next()).toEqual({ comment: "" });
  await vi.advanceTimersByTimeAsync(15_000);
  expect(await events.next()).toEqual({ comment: "" });
  await events.cancel();
});

test("HTTP-M-30, BUG-52: a call that is silent for long becomes a stream, so that nothing in between cuts it", async () => {
  const { feature, open } = held();
  const bindings = [statelessBinding({ keepAliveMs: 5_000 }), handshakeBinding({ keepAliveMs: 5_000 })];
  const { handler } = serveFeatures(features({ "tools/call": feature }), { bindings });
  const session = await openSession(handler);
  const calls = [modern(handler, "tools/call", { name: "x" }), session.call("tools/call", { name: "x" })];
  const json = session.call("tools/call", { name: "x" }, { id: 2, headers: { accept: "application/json" } });
  await vi.advanceTimersByTimeAsync(10_000);
  const streams = (await Promise.all(calls)).map((response) => eventsOf(response));
  for (const stream of streams) expect(await stream.next()).toEqual({ comment: "" });
  open();
  for (const stream of streams) expect(await stream.message()).toMatchObject({ id: 1, result: {} });
  expect(await (await json).json()).toMatchObject({ id: 2, result: {} });
});

test("HTTP-M-27, HTTP-M-28, BUG-59: a caller that closes its stream has cancelled, and nothing more is sent", async () => {
  const { feature, aborted, begun, open } = held();
  const { handler, reports } = serveFeatures(features({ "tools/call": feature }));
  const caller = new AbortController();
  const events = eventsOf(await modern(handler, "tools/call", progressing, { signal: caller.signal }));
  await begun;
  caller.abort();
  expect(aborted()).toBe(true);
  open();
  expect(await events.rest()).toHaveLength(1);
  expect(reports).toEqual([]);
});

test("HTTP-M-29: a caller that goes before anything was sent has cancelled too", async () => {
  const { feature, aborted, begun } = held();
  const { handler } = serveFeatures(features({ "tools/call": feature }));
  const caller = new AbortController();
  const never = modern(handler, "tools/call", { name: "x" }, { signal: caller.signal });
  await begun;
  caller.abort();
  expect(aborted()).toBe(true);
  void never; // nobody reads it
});

test("HTTP-L-53, HTTP-L-19: a session ends when it is idle for too long or too old, and its streams end with it", async () => {
  const { handler } = serveFeatures(features({ "tools/call": () => done }), {
    bindings: [handshakeBinding({ idleMs: 10_000, maxAgeMs: 60_000, keepAliveMs: 1_000_000 })],
  });
  const idle = await openSession(handler);
  const used = await openSession(handler);
  const listening = await openSession(handler);
  const stream = eventsOf(await listening.get());
  for (let second = 0; second < 55; second += 5) {
    await vi.advanceTimersByTimeAsync(5_000);
    expect((await used.call("tools/call", { name: "x" })).status).toBe(200);
  }
  expect((await idle.call("tools/call", { name: "x" })).status).toBe(404);
  expect((await listening.call("tools/call", { name: "x" })).status).toBe(200);
  await vi.advanceTimersByTimeAsync(10_000);
  expect((await used.call("tools/call", { name: "x" })).status).toBe(404);
  expect(await stream.rest()).toEqual([]);
  await handler.close();
  expect(vi.getTimerCount()).toBe(0);
});

test("HTTP-L-53, SEC-18: a principal has so many sessions and no more, and gets them back when they end", async () => {
  const { handler } = serveFeatures(features({ "tools/call": () => done }), {
    bindings: [handshakeBinding({ maxSessions: 2, idleMs: 10_000 })],
  });
  const first = await openSession(handler);
  await openSession(handler);
  const refused = await raw(handler, JSON.stringify(introduction("2025-11-25")));
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
  await first.end();
  expect((await openSession(handler)).opened.status).toBe(200);
  await vi.advanceTimersByTimeAsync(12_500);
  expect(vi.getTimerCount()).toBe(0);
  expect((await openSession(handler)).opened.status).toBe(200);
  await handler.close();
  expect(vi.getTimerCount()).toBe(0);
});
