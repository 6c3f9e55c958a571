import { expect, test } from "vitest";
import { createCall } from "./call.js";
import type { Change, ChangeBus } from "./change.js";
import type { Call } from "./feature.js";
import { exchangeOn, factsOf, request } from "./served.fixture.js";
import { statelessVersions } from "./version.js";
import { maxWatched, watching } from "./watching.js";

const [version = "2026-07-28"] = statelessVersions;
const call: Call = createCall(
  { request: request("resources/subscribe"), exchange: exchangeOn(), server: factsOf([]) },
  version,
  { capabilities: {} },
);
const done = { type: "complete", result: {} };

function open(refused?: string) {
  const listeners = new Set<(change: Change) => void>();
  const changes: ChangeBus = {
    publish: (change) => {
      for (const listener of listeners) listener(change);
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const events: string[] = [];
  const begin = (uri: string) => {
    if (uri === refused) return { type: "refused", reason: "not_found", message: "no" } as const;
    events.push(`+${uri}`);
    return () => void events.push(`-${uri}`);
  };
  const told: string[] = [];
  const watcher = watching(begin).open(changes, async (uri) => void told.push(uri));
  return { watcher, events, told, listeners, changed: (uri: string) => changes.publish({ type: "resource", uri }) };
}

test("a reader is told of what it watches, once for all changes of a turn", async () => {
  const { watcher, told, changed } = open();
  expect(watcher.add(call, "a:1")).toEqual(done);
  changed("a:1");
  changed("a:2");
  changed("a:1");
  await Promise.resolve();
  expect(told).toEqual(["a:1"]);
});

test("what is watched twice begins once, and what was never watched may end", () => {
  const { watcher, events } = open();
  watcher.add(call, "a:1");
  watcher.add(call, "a:1");
  expect(watcher.delete(call, "a:2")).toEqual(done);
  watcher.delete(call, "a:1");
  watcher.delete(call, "a:1");
  expect(events).toEqual(["+a:1", "-a:1"]);
});

test("after delete nothing is told, not even what changed just before", async () => {
  const { watcher, told, changed } = open();
  watcher.add(call, "a:1");
  changed("a:1");
  watcher.delete(call, "a:1");
  await Promise.resolve();
  expect(told).toEqual([]);
});

test("a refusal is passed on, and nothing is watched", () => {
  const { watcher, events } = open("a:1");
  expect(watcher.add(call, "a:1")).toMatchObject({ type: "refused", reason: "not_found" });
  watcher.close();
  expect(events).toEqual([]);
});

test.each([undefined, 7, null])("uri %j is refused", (uri) => {
  const { watcher } = open();
  expect(watcher.add(call, uri)).toMatchObject({ type: "refused", reason: "invalid_params" });
  expect(watcher.delete(call, uri)).toMatchObject({ type: "refused", reason: "invalid_params" });
});

test("closing ends all that is watched, and nothing listens any more", () => {
  const { watcher, events, listeners } = open();
  watcher.add(call, "a:1");
  watcher.add(call, "a:2");
  watcher.close();
  expect(events).toEqual(["+a:1", "+a:2", "-a:1", "-a:2"]);
  expect(listeners.size).toBe(0);
});

test("one reader watches so many resources and no more", () => {
  const { watcher } = open();
  for (let count = 0; count < maxWatched; count += 1) expect(watcher.add(call, `a:${count}`)).toEqual(done);
  expect(watcher.add(call, "a:more")).toMatchObject({ type: "refused", message: expect.stringContaining("1000") });
});

test("what changes before the reader took what it was told waits, each resource once", async () => {
  const listeners = new Set<(change: Change) => void>();
  const told: string[] = [];
  const taken: (() => void)[] = [];
  const changes: ChangeBus = {
    publish: () => {},
    subscribe: (listener) => {
      listeners.add(listener);
      return () => {};
    },
  };
  const watcher = watching(() => () => {}).open(changes, (uri) => {
    told.push(uri);
    return new Promise((resolve) => taken.push(resolve));
  });
  for (const uri of ["a:1", "a:2"]) watcher.add(call, uri);
  const turns = async (): Promise<void> => {
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  };
  for (const uri of ["a:1", "a:2", "a:1", "a:2", "a:1"]) {
    for (const listener of listeners) listener({ type: "resource", uri });
    await turns();
  }
  expect(told).toEqual(["a:1"]);
  taken[0]?.();
  await turns();
  expect(told).toEqual(["a:1", "a:2", "a:1"]);
});

test("who fails to say whether a reader may hear of a resource has not said so, and ends nothing", async () => {
  const listeners = new Set<(change: Change) => void>();
  const told: string[] = [];
  const changes: ChangeBus = {
    publish: () => {},
    subscribe: (listener) => {
      listeners.add(listener);
      return () => {};
    },
  };
  const hears = (uri: string): boolean => {
    if (uri === "a:1") throw new Error("the session has no user any more");
    return true;
  };
  const watcher = watching(() => () => {}, hears).open(changes, async (uri) => void told.push(uri));
  for (const uri of ["a:1", "a:2"]) {
    watcher.add(call, uri);
    for (const listener of listeners) listener({ type: "resource", uri });
  }
  await Promise.resolve();
  expect(told).toEqual(["a:2"]);
});
