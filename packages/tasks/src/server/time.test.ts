import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ask, gate, serving, settled, start } from "../joined.fixture.js";
import { memoryTasks } from "../memory.js";
import { taskTool } from "./task-tool.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"], now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

const never = taskTool({
  name: "never",
  description: "",
  task: "optional",
  run: (_, call) =>
    new Promise((_resolve, reject) => call.signal.addEventListener("abort", () => reject(call.signal.reason))),
});

test("TASK-X-19: what is not done within its time fails, is kept for a while, and is then unknown", async () => {
  const server = serving([never], { tasks: { ttlMs: 60_000, keepMs: 10_000 } });
  const taskId = await start(server, "never");
  await vi.advanceTimersByTimeAsync(59_999);
  expect((await ask(server, "tasks/get", { taskId })).result.status).toBe("working");
  await vi.advanceTimersByTimeAsync(1);
  await settled();
  expect((await ask(server, "tasks/get", { taskId })).result).toMatchObject({
    status: "failed",
    statusMessage: "the task was not done within 60000 ms",
    ttlMs: 70_000,
  });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await ask(server, "tasks/get", { taskId })).toMatchObject({ error: { code: -32602 } });
});

test("TASK-X-19: without an end it goes on, beyond what a timer takes too", async () => {
  const server = serving([never], { tasks: { ttlMs: null } });
  const { result } = await ask(server, "tools/call", { name: "never" });
  expect(result.ttlMs).toBeNull();
  await vi.advanceTimersByTimeAsync(3_000_000_000);
  expect((await ask(server, "tasks/get", { taskId: result.taskId })).result.status).toBe("working");
  const long = serving([{ ...never }], { tasks: { ttlMs: 3_000_000_000 } });
  const taskId = await start(long, "never");
  await vi.advanceTimersByTimeAsync(2_999_999_999);
  expect((await ask(long, "tasks/get", { taskId })).result.status).toBe("working");
  await vi.advanceTimersByTimeAsync(1);
  await settled();
  expect((await ask(long, "tasks/get", { taskId })).result.status).toBe("failed");
});

test("a result is kept as long as its task, and a while at least", async () => {
  const work = gate<string>();
  const late = taskTool({ name: "late", description: "", task: "optional", ttlMs: 1_000, run: () => work.open });
  const server = serving([late], { tasks: { keepMs: 5_000 } });
  const taskId = await start(server, "late");
  await vi.advanceTimersByTimeAsync(900);
  work.give("done");
  await settled();
  expect((await ask(server, "tasks/get", { taskId })).result).toMatchObject({ status: "completed", ttlMs: 5_900 });
  await vi.advanceTimersByTimeAsync(4_999);
  expect((await ask(server, "tasks/get", { taskId })).result.status).toBe("completed");
  await vi.advanceTimersByTimeAsync(1);
  expect(await ask(server, "tasks/get", { taskId })).toMatchObject({ error: { code: -32602 } });
});

test("a task that nobody works on any more fails when its time is over", async () => {
  const store = memoryTasks();
  const times = { createdAt: new Date().toISOString(), lastUpdatedAt: new Date().toISOString(), ttlMs: 1_000 };
  await store.create({ taskId: "left", status: "working", ...times, expiresAtMs: Date.now() + 10_000 });
  const server = serving([], { tasks: { store } });
  expect((await ask(server, "tasks/get", { taskId: "left" })).result.status).toBe("working");
  await vi.advanceTimersByTimeAsync(1_000);
  expect((await ask(server, "tasks/get", { taskId: "left" })).result.status).toBe("failed");
});

test("TASK-X-17: who looks too often is answered when it is time, or the task changed", async () => {
  const server = serving([never], { tasks: { pace: true, pollIntervalMs: 500 } });
  const taskId = await start(server, "never");
  const look = async (): Promise<string> => {
    const { result } = await ask(server, "tasks/get", { taskId });
    looks.push(result.status);
    return result.status;
  };
  const looks: string[] = [];
  await look();
  const second = look();
  await vi.advanceTimersByTimeAsync(499);
  expect(looks).toEqual(["working"]);
  await vi.advanceTimersByTimeAsync(1);
  await second;
  const third = look();
  await vi.advanceTimersByTimeAsync(10);
  await ask(server, "tasks/cancel", { taskId });
  expect(await third).toBe("cancelled");
});

test.each([{ ttlMs: 0 }, { ttlMs: -1 }, { ttlMs: Number.NaN }, { ttlMs: 1.5 }, { pollIntervalMs: 0 }])(
  "a tool with the time %j is refused, as it would never end, or be looked at without a pause",
  (times) => {
    const written = { name: "x", description: "", task: "optional", run: () => "x", ...times } as const;
    expect(() => taskTool(written)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  },
);
