import type { JsonObject } from "@parlance/jsonrpc";
import type { Feature, Outcome } from "@parlance/protocol-versions";
import { changesOf } from "@parlance/server";
import { expect, test } from "vitest";
import { eventsOf, features, serveFeatures } from "../wire.fixture.js";
import { memoryEventStore } from "./event-store.js";
import { resumable } from "./resumption.js";
import { handshakeBinding } from "./server.js";
import { openSession, type TestSession } from "./session.fixture.js";

const done: Outcome = { type: "complete", result: { content: [] } };
const elicitation: JsonObject = { elicitation: {} };
const question = {
  method: "elicitation/create",
  params: { message: "?", requestedSchema: { type: "object" } },
} as const;

/** A tool that goes on when it is told to. */
function gate(): {
  readonly feature: Feature;
  open(): void;
  readonly aborted: Promise<unknown>;
  readonly begun: Promise<void>;
} {
  let open = (): void => undefined;
  let abort = (_reason: unknown): void => undefined;
  let begin = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const aborted = new Promise<unknown>((resolve) => {
    abort = resolve;
  });
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  return {
    open: () => open(),
    aborted,
    begun,
    feature: async (call) => {
      call.signal.addEventListener("abort", () => abort(call.signal.reason));
      await call.progress(1);
      begin();
      await opened;
      return done;
    },
  };
}

const progressing = { name: "x", _meta: { progressToken: 0 } };
const withStore = () => ({ bindings: [handshakeBinding({ events: resumable(memoryEventStore()) })] });
const ask: Feature = (call) =>
  call.inputResponses === undefined ? { type: "input_required", inputRequests: { who: question } } : done;

test("HTTP-L-17, HTTP-L-18: a POST's stream has what belongs to its request, ends with the response, and nothing else", async () => {
  const { handler, server } = serveFeatures(
    features({
      "tools/call": async (call) => {
        await call.progress(1);
        changesOf(server).tools();
        await call.progress(2);
        return done;
      },
    }),
  );
  const session = await openSession(handler);
  const events = await eventsOf(await session.call("tools/call", progressing)).rest();
  expect(events.map(({ data }) => JSON.parse(data ?? ""))).toMatchObject([
    { method: "notifications/progress", params: { progressToken: 0, progress: 1 } },
    { method: "notifications/progress", params: { progress: 2 } },
    { id: 1, result: {} },
  ]);
});

test("HTTP-L-18, BUG-56: a question goes out on the stream of the request it belongs to, its answer comes by a POST", async () => {
  const { handler } = serveFeatures(features({ "tools/call": ask }));
  const session = await openSession(handler, { capabilities: elicitation });
  const listening = eventsOf(await session.get());
  const events = eventsOf(await session.call("tools/call", { name: "x" }));
  const asked = await events.message();
  expect(asked).toMatchObject({ method: "elicitation/create", params: { message: "?" } });
  const answered = await session.post({ jsonrpc: "2.0", id: asked["id"], result: { action: "decline" } });
  expect(answered.status).toBe(202);
  expect(await events.message()).toEqual({ jsonrpc: "2.0", id: 1, result: { content: [] } });
  expect(await events.next()).toBeUndefined();
  await session.end();
  expect(await listening.rest()).toEqual([]);
});

test("BUG-132: two sessions that ask at once get their own answers", async () => {
  const { handler } = serveFeatures(features({ "tools/call": ask }));
  const pair = [0, 1].map(async () => {
    const session = await openSession(handler, { capabilities: elicitation });
    const events = eventsOf(await session.call("tools/call", { name: "x" }));
    return { session, events, asked: await events.message() };
  });
  const [one, two] = await Promise.all(pair);
  if (one === undefined || two === undefined) throw new Error("two sessions");
  expect(one.asked["id"]).toBe(two.asked["id"]);
  await two.session.post({ jsonrpc: "2.0", id: two.asked["id"], result: { action: "decline" } });
  expect(await two.events.message()).toMatchObject({ id: 1, result: {} });
  await one.session.post({ jsonrpc: "2.0", id: one.asked["id"], error: { code: 1, message: "no" } });
  expect(await one.events.message()).toMatchObject({ id: 1, error: { code: -32603 } });
});

test("HTTP-L-26, HTTP-L-27, HTTP-L-31: what belongs to no request goes to one GET stream, however many are open", async () => {
  const { handler, server } = serveFeatures(features({ "tools/call": () => done }));
  const session = await openSession(handler);
  const streams = [eventsOf(await session.get()), eventsOf(await session.get())];
  await session.call("tools/call", { name: "x" });
  changesOf(server).tools();
  await Promise.resolve();
  await session.end();
  const all = (await Promise.all(streams.map((stream) => stream.rest()))).flat();
  expect(all.map(({ data }) => JSON.parse(data ?? ""))).toEqual([
    { jsonrpc: "2.0", method: "notifications/tools/list_changed", params: {} },
  ]);
});

test("a change before the GET stream is there waits for it, and is told once", async () => {
  const { handler, server } = serveFeatures(features({ "tools/call": () => done }));
  const session = await openSession(handler);
  for (const _turn of [1, 2]) {
    changesOf(server).tools();
    await Promise.resolve();
  }
  const events = eventsOf(await session.get());
  expect(await events.message()).toMatchObject({ method: "notifications/tools/list_changed" });
  await session.end();
  expect(await events.rest()).toEqual([]);
});

test("HTTP-L-28: a GET stream may be closed at any time, and another opened", async () => {
  const { handler, server } = serveFeatures(features({ "tools/call": () => done }));
  const session = await openSession(handler);
  await eventsOf(await session.get()).cancel();
  const events = eventsOf(await session.get());
  changesOf(server).tools();
  expect(await events.message()).toMatchObject({ method: "notifications/tools/list_changed" });
  await events.cancel();
});

test("HTTP-L-20, HTTP-L-36, BUG-59: a dropped stream cancels nothing, and its result can still be had", async () => {
  const { feature, open, begun } = gate();
  const { handler } = serveFeatures(features({ "tools/call": feature }), withStore());
  const session = await openSession(handler);
  const events = eventsOf(await session.call("tools/call", progressing));
  const first = await events.next();
  await begun;
  await events.cancel();
  open();
  const resumed = await session.get({ headers: { "last-event-id": first?.id } });
  const rest = await eventsOf(resumed).rest();
  expect(rest.map(({ data }) => JSON.parse(data ?? ""))).toMatchObject([
    { method: "notifications/progress" },
    { id: 1, result: {} },
  ]);
});

test("HTTP-L-09, HTTP-L-10: a stream that can be resumed begins with an event without data, for clients of 2025-11-25 only", async () => {
  for (const [version, primed] of [
    ["2025-11-25", true],
    ["2025-06-18", false],
  ] as const) {
    const { handler } = serveFeatures(
      features({ "tools/call": async (call) => call.progress(1).then(() => done) }),
      withStore(),
    );
    const session = await openSession(handler, { version });
    for (const response of [await session.call("tools/call", progressing), await session.get()]) {
      const events = eventsOf(response);
      if (primed) expect(await events.next()).toEqual({ id: expect.any(String), data: "" });
      await events.cancel();
    }
    if (primed) continue;
    const [event] = await eventsOf(await session.call("tools/call", progressing, { id: 2 })).rest();
    expect(event).toMatchObject({ id: expect.any(String), data: expect.stringContaining("progress") });
  }
});

test("without a store there are no ids, and nothing to resume", async () => {
  const { handler } = serveFeatures(features({ "tools/call": async (call) => call.progress(1).then(() => done) }));
  const session = await openSession(handler);
  const events = await eventsOf(await session.call("tools/call", progressing)).rest();
  expect(events.map(({ id }) => id)).toEqual([undefined, undefined]);
  const fresh = await session.get({ headers: { "last-event-id": "1-1" } });
  expect(fresh.status).toBe(200);
  await fresh.body?.cancel();
});

test("HTTP-L-12, HTTP-L-13, HTTP-L-29: a server lets go of a stream with a time to come back, and the rest is told then", async () => {
  let go = (): void => undefined;
  const waiting = new Promise<void>((resolve) => {
    go = resolve;
  });
  const release: Feature = async (call) => {
    call.release?.(25);
    await waiting;
    return done;
  };
  const { handler } = serveFeatures(features({ "tools/call": release }), withStore());
  const session = await openSession(handler);
  const events = await eventsOf(await session.call("tools/call", { name: "x" })).rest();
  expect(events).toEqual([{ id: expect.any(String), data: "" }, { retry: "25" }]);
  const resumed = eventsOf(await session.get({ headers: { "last-event-id": events[0]?.id } }));
  go();
  expect(await resumed.message()).toMatchObject({ id: 1, result: {} });
  expect(await resumed.next()).toBeUndefined();
});

test("HTTP-L-16: an older session's stream is not let go of", async () => {
  const { handler } = serveFeatures(
    features({
      "tools/call": ({ release }) => ({ type: "complete", result: { content: [], offered: release !== undefined } }),
    }),
    withStore(),
  );
  const session = await openSession(handler, { version: "2025-06-18" });
  expect(await (await session.call("tools/call", { name: "x" })).json()).toMatchObject({ result: { offered: false } });
});

test("HTTP-L-30, HTTP-L-32, HTTP-L-33, HTTP-L-34, HTTP-L-37: ids are unique in the session and tell their stream, and a stream is resumed without another's messages", async () => {
  const { handler } = serveFeatures(
    features({
      "tools/call": async (call) => {
        await call.progress(1, 1, String(call.params["name"]));
        return done;
      },
    }),
    withStore(),
  );
  const session = await openSession(handler);
  const listening = eventsOf(await session.get());
  const call = (name: string, id: number): Promise<Response> =>
    session.call("tools/call", { name, _meta: { progressToken: id } }, { id });
  const [a, b] = await Promise.all([call("a", 1), call("b", 2)]);
  const [ofA, ofB] = await Promise.all([eventsOf(a).rest(), eventsOf(b).rest()]);
  const ids = [...ofA, ...ofB, await listening.next()].map((event) => event?.id);
  expect(new Set(ids).size).toBe(7);
  const again = await eventsOf(await session.get({ headers: { "last-event-id": ofA[0]?.id } })).rest();
  expect(again).toEqual(ofA.slice(1));
  await listening.cancel();
});

test("HTTP-L-38: an event id that is unknown, or another session's, gives 400 and no data", async () => {
  const { handler } = serveFeatures(
    features({ "tools/call": async (call) => call.progress(1).then(() => done) }),
    withStore(),
  );
  const [one, two] = [await openSession(handler), await openSession(handler)];
  const [first] = await eventsOf(await one.call("tools/call", progressing)).rest();
  for (const id of [first?.id ?? "", "9-9", "nonsense", ""]) {
    expect((await two.get({ headers: { "last-event-id": id } })).status).toBe(400);
  }
});

test("a question asked while nobody reads waits in the store, and its answer is taken", async () => {
  const { handler } = serveFeatures(features({ "tools/call": ask }), withStore());
  const session = await openSession(handler, { capabilities: elicitation });
  const events = eventsOf(await session.call("tools/call", { name: "x" }));
  const first = await events.next();
  await events.cancel();
  const resumed = eventsOf(await session.get({ headers: { "last-event-id": first?.id } }));
  const asked = await resumed.message();
  await session.post({ jsonrpc: "2.0", id: asked["id"], result: { action: "decline" } });
  expect(await resumed.message()).toMatchObject({ id: 1, result: {} });
});

test("HTTP-L-21: a cancelled request is aborted, and its stream ends without an answer", async () => {
  const { feature, aborted, begun } = gate();
  const { handler } = serveFeatures(features({ "tools/call": feature }));
  const session = await openSession(handler);
  const events = eventsOf(await session.call("tools/call", progressing));
  await begun;
  await session.post({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1, reason: "enough" } });
  expect(await aborted).toMatchObject({ name: "AbortError", message: "enough" });
  expect((await events.rest()).map(({ data }) => JSON.parse(data ?? "").method)).toEqual(["notifications/progress"]);
});

test("HTTP-L-51: DELETE ends all streams, aborts what runs and fails what was asked", async () => {
  const failures: unknown[] = [];
  const { feature, aborted, begun } = gate();
  const { handler } = serveFeatures(
    features({ "tools/call": (call) => (call.params["name"] === "ask" ? ask(call) : feature(call)) }),
    {},
    { onError: (error) => void failures.push(error) },
  );
  const session: TestSession = await openSession(handler, { capabilities: elicitation });
  const listening = eventsOf(await session.get());
  const running = eventsOf(await session.call("tools/call", progressing));
  const asking = eventsOf(await session.call("tools/call", { name: "ask" }, { id: 2 }));
  await begun;
  await asking.message();
  expect((await session.end()).status).toBe(204);
  expect(await aborted).toMatchObject({ code: "CLOSED" });
  expect(await listening.rest()).toEqual([]);
  await running.rest();
  expect(await asking.rest()).toEqual([]);
  expect(failures).toEqual([]);
});
