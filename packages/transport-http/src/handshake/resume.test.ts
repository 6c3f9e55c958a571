import type { Feature, Outcome } from "@parlance/protocol-versions";
import { expect, test } from "vitest";
import { eventsOf, features, serveFeatures } from "../wire.fixture.js";
import { type EventStore, memoryEventStore } from "./event-store.js";
import { resumable } from "./resumption.js";
import { handshakeBinding } from "./server.js";
import { openSession, type TestSession } from "./session.fixture.js";

const done: Outcome = { type: "complete", result: { content: [] } };
const progressing = { name: "x", _meta: { progressToken: 0 } };

/** A call that has said something, and goes on when it is told to. */
function paused(): { readonly feature: Feature; go(): void } {
  let go = (): void => {};
  const gone = new Promise<void>((resolve) => {
    go = resolve;
  });
  return {
    go: () => go(),
    feature: async (call) => {
      await call.progress(1);
      await gone;
      return done;
    },
  };
}

async function serve(
  feature: Feature,
  events: EventStore = memoryEventStore(),
  maxStreams?: number,
): Promise<TestSession> {
  const bindings = [handshakeBinding({ events: resumable(events) })];
  return openSession(serveFeatures(features({ "tools/call": feature }), { bindings, maxStreams }).handler);
}

const resumeFrom = (session: TestSession, id: string | undefined): Promise<Response> =>
  session.get({ headers: { "last-event-id": id } });

test("HTTP-L-27, HTTP-L-37: of two readers that go on with a stream at once one gets what comes, and the other ends", async () => {
  const { feature, go } = paused();
  const session = await serve(feature);
  const first = eventsOf(await session.call("tools/call", progressing));
  const id = (await first.next())?.id;
  await first.cancel();
  const [a, b] = await Promise.all([resumeFrom(session, id), resumeFrom(session, id)]);
  go();
  const [ofA, ofB] = await Promise.all([eventsOf(a).rest(), eventsOf(b).rest()]);
  const ends = [ofA, ofB].filter((events) => events.some(({ data }) => data?.includes('"result"')));
  expect(ends).toHaveLength(1);
});

test("HTTP-L-37: going on with a stream twice, one after the other, says the same again", async () => {
  const session = await serve(async (call) => call.progress(1).then(() => done));
  const all = await eventsOf(await session.call("tools/call", progressing)).rest();
  for (let times = 0; times < 2; times++) {
    expect(await eventsOf(await resumeFrom(session, all[0]?.id)).rest()).toEqual(all.slice(1));
  }
});

test("HTTP-L-37: what was missed may be more than may wait for a reader", async () => {
  const { feature, go } = paused();
  const bindings = [handshakeBinding({ events: resumable(memoryEventStore()), maxQueued: 1_000 })];
  const { handler, reports } = serveFeatures(features({ "tools/call": feature }), { bindings });
  const session = await openSession(handler);
  const first = eventsOf(await session.call("tools/call", { name: "x", _meta: { progressToken: "x".repeat(1_100) } }));
  const id = (await first.next())?.id;
  await first.cancel();
  const again = eventsOf(await resumeFrom(session, id));
  expect((await again.next())?.data).toContain("notifications/progress");
  go();
  expect((await again.rest()).at(-1)?.data).toContain('"result"');
  expect(reports).toEqual([]);
});

test("HTTP-L-38: an event that has not been sent yet is 400, and whoever reads the stream reads on", async () => {
  const { feature, go } = paused();
  const session = await serve(feature);
  const reading = eventsOf(await session.call("tools/call", progressing));
  const id = (await reading.next())?.id ?? "";
  expect((await resumeFrom(session, id.replace(/\d+$/, "99"))).status).toBe(400);
  go();
  expect((await reading.rest()).at(-1)?.data).toContain('"result"');
});

test("HTTP-L-51: a session that ends while a stream of it is looked up tells nothing more", async () => {
  const kept = memoryEventStore();
  let look = (): void => {};
  const looked = new Promise<void>((resolve) => {
    look = resolve;
  });
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const slow: EventStore = {
    ...kept,
    after: async (...which) => {
      begin();
      await looked;
      return kept.after(...which);
    },
  };
  const session = await serve(async (call) => call.progress(1).then(() => done), slow);
  const all = await eventsOf(await session.call("tools/call", progressing)).rest();
  const resuming = resumeFrom(session, all[0]?.id);
  await begun;
  expect((await session.end()).status).toBe(204);
  look();
  expect((await resuming).status).toBe(400);
  expect((await session.end()).status).toBe(404);
});

test("HTTP-L-37: what a slow store has, but has not said so, is told once to a reader that comes back", async () => {
  const kept = memoryEventStore();
  let settle = (): void => {};
  const settled = new Promise<void>((resolve) => {
    settle = resolve;
  });
  const slow: EventStore = {
    ...kept,
    append: (session, stream, event) => {
      void kept.append(session, stream, event);
      return event.number === 2 ? settled : undefined;
    },
  };
  const { feature, go } = paused();
  const session = await serve(feature, slow);
  const reading = eventsOf(await session.call("tools/call", progressing));
  const priming = await reading.next();
  await reading.cancel();
  const resumed = eventsOf(await resumeFrom(session, priming?.id));
  settle();
  go();
  const ids = (await resumed.rest()).map(({ id }) => id);
  expect(ids).toEqual(["1-2", "1-3"]);
});

test("SEC-18: a stream that is gone on with again and again takes the place of one", async () => {
  const { feature, go } = paused();
  const session = await serve(feature, memoryEventStore(), 2);
  const id = (await eventsOf(await session.call("tools/call", progressing)).next())?.id;
  let last = await resumeFrom(session, id);
  for (let times = 0; times < 5; times++) last = await resumeFrom(session, id);
  expect(last.status).toBe(200);
  go();
  expect((await eventsOf(last).rest()).at(-1)?.data).toContain('"result"');
});

test("a store that lost what it took is not asked for ever, nor for an id that is none of ours", async () => {
  const { feature, go } = paused();
  const asked: unknown[] = [];
  const after: EventStore["after"] = (_, stream) => {
    asked.push(stream);
    return [];
  };
  const session = await serve(feature, { append: () => {}, after, drop: () => {} });
  const first = eventsOf(await session.call("tools/call", progressing));
  const [begun, progress] = [await first.next(), await first.next()];
  expect(progress?.data).toContain("progress");
  expect((await resumeFrom(session, begun?.id)).status).toBe(400);
  expect((await resumeFrom(session, "some'; id")).status).toBe(400);
  expect(asked).toHaveLength(1);
  go();
});
