import { answers } from "@parlance/client";
import type { JsonObject, RpcError } from "@parlance/jsonrpc";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { gate, joined, serving, settled } from "../joined.fixture.js";
import { taskTool } from "../server/task-tool.js";
import { cancelTask, getTask, updateTask } from "./requests.js";
import { followTask, startTool } from "./tasks.js";

beforeEach(
  () => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"], now: 1_000_000 }),
);
afterEach(() => void vi.useRealTimers());

const quick = taskTool({ name: "quick", description: "", task: "optional", when: () => false, run: () => "at once" });

function slow(): { tool: ReturnType<typeof taskTool>; work: ReturnType<typeof gate<string>>; signals: AbortSignal[] } {
  const work = gate<string>();
  const signals: AbortSignal[] = [];
  const tool = taskTool({
    name: "slow",
    description: "",
    task: "required",
    run: async (_, call) => {
      signals.push(call.signal);
      await call.progress(1, 2, "half");
      return work.open;
    },
  });
  return { tool, work, signals };
}

const asks = taskTool({
  name: "asks",
  description: "",
  task: "required",
  run: async (_, call) => {
    const { content } = await call.elicit("name", "Name?", { name: { type: "string" } });
    return `Hello, ${content?.name}`;
  },
});

describe("callTool", () => {
  test("TASK-X-01, TASK-X-06, TASK-X-37: follows a task to its end, or takes the result that comes at once", async () => {
    const { tool, work } = slow();
    const client = await joined(serving([tool, quick]));
    expect(await client.callTool("quick")).toMatchObject({ content: [{ text: "at once" }] });
    const calling = client.callTool("slow");
    await vi.advanceTimersByTimeAsync(1_500);
    work.give("after a while");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await calling).toEqual({ content: [{ type: "text", text: "after a while" }] });
  });

  test("TASK-X-37: what a task says of itself is heard as progress", async () => {
    const { tool, work } = slow();
    const client = await joined(serving([tool]));
    const heard: unknown[] = [];
    const calling = client.callTool("slow", {}, { onProgress: (...progress) => heard.push(progress) });
    await vi.advanceTimersByTimeAsync(3_500);
    expect(heard).toEqual([[1, undefined, "half"]]);
    work.give("done");
    await vi.advanceTimersByTimeAsync(1_000);
    await calling;
  });

  test("a task lasts longer than a call may", async () => {
    const { tool, work } = slow();
    const client = await joined(serving([tool]), { timeoutMs: 100, maxTotalMs: 200 });
    const calling = client.callTool("slow");
    await vi.advanceTimersByTimeAsync(1_000_000);
    work.give("done");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await calling).toMatchObject({ content: [{ text: "done" }] });
  });

  test("TASK-X-26: giving up cancels the task, by its own method", async () => {
    const { tool, signals } = slow();
    const client = await joined(serving([tool]));
    const notify = vi.spyOn(client, "notify");
    const giving = new AbortController();
    const calling = expect(client.callTool("slow", {}, { signal: giving.signal })).rejects.toThrow("enough");
    await vi.advanceTimersByTimeAsync(100);
    giving.abort(new Error("enough"));
    await calling;
    await settled();
    expect(signals[0]?.aborted).toBe(true);
    expect(notify).not.toHaveBeenCalled();
  });

  test("what became of a task otherwise is an error that says so", async () => {
    const { tool, work } = slow();
    const client = await joined(serving([tool]), {});
    const started = await startTool(client, "slow");
    if (started.type !== "task") throw new Error("no task");
    await cancelTask(client, started.taskId);
    await expect(followTask(client, started.taskId)).rejects.toMatchObject({ code: "CANCELLED" });
    work.give("late");
  });
});

describe("by hand", () => {
  test("TASK-X-18: a task is followed by its id alone, by another client too", async () => {
    const { tool, work } = slow();
    const server = serving([tool, quick]);
    const first = await joined(server);
    const started = await startTool(first, "slow");
    if (started.type !== "task") throw new Error("no task");
    await first.close();
    const second = await joined(server);
    const following = followTask(second, started.taskId);
    work.give("found again");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await following).toMatchObject({ content: [{ text: "found again" }] });
    expect(await startTool(second, "quick")).toMatchObject({ type: "complete", result: { content: [{}] } });
  });

  test("giving up to follow leaves the task", async () => {
    const { tool, signals } = slow();
    const client = await joined(serving([tool]));
    const started = await startTool(client, "slow");
    if (started.type !== "task") throw new Error("no task");
    const giving = new AbortController();
    const following = expect(followTask(client, started.taskId, { signal: giving.signal })).rejects.toThrow("enough");
    await vi.advanceTimersByTimeAsync(100);
    giving.abort(new Error("enough"));
    await following;
    expect(signals[0]?.aborted).toBe(false);
    expect(await getTask(client, started.taskId)).toMatchObject({ status: "working" });
    const late = expect(followTask(client, started.taskId, { maxTotalMs: 5_000 })).rejects.toMatchObject({
      code: "TIMEOUT",
    });
    await vi.advanceTimersByTimeAsync(60_000);
    await late;
  });

  test("a server that asks for a wait of a day does not outlast the time that there is", async () => {
    const { tool } = slow();
    const server = serving([tool], { tasks: { pollIntervalMs: 86_400_000 } });
    const client = await joined(server);
    const started = await startTool(client, "slow");
    if (started.type !== "task") throw new Error("no task");
    const following = expect(followTask(client, started.taskId, { maxTotalMs: 5_000 })).rejects;
    const calling = expect(client.callTool("slow", {}, { maxTotalMs: 5_000 })).rejects;
    const ends = Promise.all([
      following.toMatchObject({ code: "TIMEOUT" }),
      calling.toMatchObject({ code: "TIMEOUT" }),
    ]);
    await vi.advanceTimersByTimeAsync(5_000);
    await ends;
  });

  test("TASK-X-20, TASK-X-21, TASK-X-22: each question is answered once, however often it is seen", async () => {
    const server = serving([asks]);
    const client = await joined(server, { capabilities: { elicitation: {} } });
    const started = await startTool(client, "asks");
    if (started.type !== "task") throw new Error("no task");
    const thought = gate<JsonObject>();
    const answer = vi.fn(() => thought.open);
    const following = followTask(client, started.taskId, { answer });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(answer).toHaveBeenCalledTimes(1);
    expect(answer).toHaveBeenCalledWith(
      "elicitation/create",
      expect.objectContaining({ message: "Name?" }),
      expect.any(AbortSignal),
    );
    thought.give({ action: "accept", content: { name: "Ada" } });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await following).toMatchObject({ content: [{ text: "Hello, Ada" }] });
  });

  test("TASK-X-21: what a task asks is answered by the handlers of the client, in a call too", async () => {
    const form = vi.fn(async () => ({ action: "accept" as const, content: { name: "Grace" } }));
    const client = await joined(serving([asks]), { answers: answers({ form }) });
    const calling = client.callTool("asks");
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await calling).toMatchObject({ content: [{ text: "Hello, Grace" }] });
    expect(form).toHaveBeenCalledTimes(1);
  });

  test("a handler that fails over a form leaves it cancelled", async () => {
    const answer = vi.fn(() => Promise.reject(new Error("no screen")));
    const client = await joined(serving([asks]), { capabilities: { elicitation: {} } });
    const started = await startTool(client, "asks");
    if (started.type !== "task") throw new Error("no task");
    const following = followTask(client, started.taskId, { answer });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await following).toMatchObject({ content: [{ text: "Hello, undefined" }] });
  });

  test("a question that nobody answers is an error, and the task goes on", async () => {
    const client = await joined(serving([asks]), { capabilities: { elicitation: {} } });
    const started = await startTool(client, "asks");
    if (started.type !== "task") throw new Error("no task");
    const following = expect(followTask(client, started.taskId)).rejects.toThrow();
    await vi.advanceTimersByTimeAsync(2_000);
    await following;
    await updateTask(client, started.taskId, { name: { action: "decline" } });
    await settled();
    expect(await getTask(client, started.taskId)).toMatchObject({ status: "completed" });
  });

  test("a server without tasks is not asked", async () => {
    const server = serving([]);
    const old = await joined(server, { eras: [(await import("@parlance/client")).handshake()] });
    await expect(getTask(old, "x")).rejects.toMatchObject({ code: "UNSUPPORTED" });
    const client = await joined(server);
    const error: RpcError = await getTask(client, "x").catch((thrown) => thrown);
    expect(error.code).toBe(-32602);
  });
});
