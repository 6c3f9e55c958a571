import type { Feature } from "@parlance/protocol-versions";
import { expect, test } from "vitest";
import { eventsOf, features, serveFeatures } from "../wire.fixture.js";
import { type EventStore, memoryEventStore } from "./event-store.js";
import { resumable } from "./resumption.js";
import { handshakeBinding } from "./server.js";
import { openSession } from "./session.fixture.js";

const event = (number: number, text = "x") => ({ number, text });

test("a store tells what came after an event on its stream, and knows no other's", () => {
  const store = memoryEventStore();
  for (const number of [1, 2, 3]) void store.append("s", "1", event(number, `a${number}`));
  void store.append("s", "2", event(1, "b"));
  void store.append("t", "1", event(1, "c"));
  expect(store.after("s", "1", 1)).toMatchObject([event(2, "a2"), event(3, "a3")]);
  expect(store.after("s", "1", 3)).toEqual([]);
  expect(store.after("s", "1", 4)).toBeUndefined();
  expect(store.after("s", "3", 1)).toBeUndefined();
  void store.drop("s");
  expect(store.after("s", "1", 1)).toBeUndefined();
  expect(store.after("t", "1", 1)).toEqual([]);
});

test("SEC-18: a session keeps so many events, the oldest go first, and what is gone is not passed over", () => {
  const store = memoryEventStore({ maxEvents: 2 });
  for (const number of [1, 2, 3]) void store.append("s", "1", event(number));
  expect(store.after("s", "1", 1)).toBeUndefined();
  expect(store.after("s", "1", 2)).toMatchObject([event(3)]);
});

test("SEC-18: all sessions keep so much text, those that were quiet for longest lose theirs first", () => {
  const store = memoryEventStore({ maxLength: 100 });
  void store.append("old", "1", event(1, "x".repeat(60)));
  void store.append("new", "1", event(1, "x".repeat(60)));
  expect(store.after("old", "1", 1)).toBeUndefined();
  expect(store.after("new", "1", 1)).toEqual([]);
  void store.append("huge", "1", event(1, "x".repeat(200)));
  expect(store.after("huge", "1", 1)).toBeUndefined();
  void store.append("new", "1", event(1));
  expect(store.after("new", "1", 1)).toEqual([]);
});

const talking: Feature = async (call) => {
  for (const step of [1, 2, 3]) await call.progress(step);
  return { type: "complete", result: { content: [] } };
};
const params = { name: "x", _meta: { progressToken: 1 } };

/** A store that takes its time, as one in another process does. */
function slow(store: EventStore): EventStore {
  return {
    append: async (...event) => {
      await new Promise(setImmediate);
      await store.append(...event);
    },
    after: async (...from) => store.after(...from),
    drop: async (session) => store.drop(session),
  };
}

test("a store may take its time: events stay in their order, and can be resumed from", async () => {
  const bindings = [handshakeBinding({ events: resumable(slow(memoryEventStore())) })];
  const { handler } = serveFeatures(features({ "tools/call": talking }), { bindings });
  const session = await openSession(handler);
  const events = await eventsOf(await session.call("tools/call", params)).rest();
  expect(events.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5].map((number) => `1-${number}`));
  expect(events.map(({ data }) => /"progress":(\d)/.exec(data ?? "")?.[1])).toEqual([
    undefined,
    "1",
    "2",
    "3",
    undefined,
  ]);
  const again = await eventsOf(await session.get({ headers: { "last-event-id": "1-2" } })).rest();
  expect(again).toEqual(events.slice(2));
});

test("a store that fails is reported, and the stream goes on without it", async () => {
  for (const append of [
    async () => Promise.reject(new Error("the disk is full")),
    () => {
      throw new Error("the disk is full");
    },
  ]) {
    const store: EventStore = { append, after: () => undefined, drop: () => Promise.reject(new Error("gone")) };
    const { handler, reports } = serveFeatures(features({ "tools/call": talking }), {
      bindings: [handshakeBinding({ events: resumable(store) })],
    });
    const session = await openSession(handler);
    const events = await eventsOf(await session.call("tools/call", params)).rest();
    expect(events).toHaveLength(5);
    expect(reports.every(({ kind }) => kind === "request_failed")).toBe(true);
    expect((await session.get({ headers: { "last-event-id": "1-1" } })).status).toBe(400);
    expect((await session.end()).status).toBe(204);
  }
});

test("a client that opens its stream again and again keeps only the newest to come back to", async () => {
  const bindings = [handshakeBinding({ events: resumable(memoryEventStore()) })];
  const { handler } = serveFeatures(features({ "tools/call": talking }), { bindings });
  const session = await openSession(handler);
  const firsts: (string | undefined)[] = [];
  for (let count = 0; count < 8; count++) {
    const events = eventsOf(await session.get());
    firsts.push((await events.next())?.id);
    await events.cancel();
  }
  const rest = eventsOf(await session.get({ headers: { "last-event-id": firsts.at(-1) } }));
  const ended = await eventsOf(await session.get({ headers: { "last-event-id": firsts[0] } })).rest();
  expect(ended).toEqual([]);
  await session.end();
  expect(await rest.rest()).toEqual([]);
});
