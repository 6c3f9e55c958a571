import { expect, test } from "vitest";
import { memoryTasks } from "./memory.js";
import type { TaskRecord } from "./store.js";

function record(taskId: string, change: Partial<TaskRecord> = {}): TaskRecord {
  const at = "2026-07-28T00:00:00.000Z";
  return { taskId, status: "working", createdAt: at, lastUpdatedAt: at, ttlMs: 1_000, expiresAtMs: null, ...change };
}

test("when it is full the oldest that is over makes place", async () => {
  const store = memoryTasks({ maxTasks: 3 });
  await store.create(record("a"));
  await store.create(record("b", { status: "completed", result: {} }));
  await store.create(record("c", { status: "failed" }));
  await store.create(record("d"));
  expect(["a", "b", "c", "d"].filter((taskId) => store.get(taskId) !== undefined)).toEqual(["a", "c", "d"]);
});

test("a full store makes place without a look at each of its tasks", async () => {
  let looks = 0;
  const seen = (taskId: string): TaskRecord =>
    Object.defineProperty(record(taskId, { status: "completed" }), "status", {
      get: () => {
        looks += 1;
        return "completed";
      },
    });
  const store = memoryTasks({ maxTasks: 1_000 });
  for (let at = 0; at < 2_000; at += 1) await store.create(seen(String(at)));
  expect(looks).toBeLessThan(20_000);
  expect([await store.get("999"), (await store.get("1000"))?.taskId]).toEqual([undefined, "1000"]);
});

test("when all of them are worked on a new one is refused", async () => {
  const store = memoryTasks({ maxTasks: 1 });
  await store.create(record("a"));
  expect(() => store.create(record("b"))).toThrow(expect.objectContaining({ code: "RATE_LIMITED" }));
});

test("SEC-18: what expired is forgotten though nobody asks for it", async () => {
  let nowMs = 0;
  const store = memoryTasks({ maxTasks: 2, now: () => nowMs });
  await store.create(record("a", { expiresAtMs: 10 }));
  await store.create(record("b", { expiresAtMs: 20 }));
  nowMs = 10;
  await store.create(record("c"));
  expect(["a", "b", "c"].filter((taskId) => store.get(taskId) !== undefined)).toEqual(["b", "c"]);
});
