import { connectClient, extensions } from "@parlance/client";
import { type JsonObject, LocalError } from "@parlance/jsonrpc";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { id, info } from "../joined.fixture.js";
import { followTask, tasks } from "./tasks.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

const times = { createdAt: "2026-07-28T00:00:00Z", lastUpdatedAt: "2026-07-28T00:00:00Z", ttlMs: null };
const working = { taskId: "t", status: "working", ...times };
const completed = { taskId: "t", status: "completed", ...times, result: { content: [] } };
const discovered = { supportedVersions: ["2026-07-28"], capabilities: { tools: {}, extensions: { [id]: {} } } };

/** A client of a server that gives these answers to looks, and what it was asked. */
async function scripted(looks: readonly (JsonObject | Error)[], called: JsonObject = {}) {
  const left = [...looks];
  const asked: { method: string; params: JsonObject; routedBy: string | undefined }[] = [];
  const closed = new AbortController();
  const client = await connectClient({
    info,
    extensions: extensions(tasks()),
    dial: async () => ({
      carrier: "http",
      closed: closed.signal,
      close: async () => closed.abort(),
      notify: async () => {},
      request: async (method, params, options) => {
        if (method === "server/discover") return discovered;
        asked.push({ method, params, routedBy: options?.routedBy });
        if (method === "tools/call") return called;
        const next = left.length > 1 ? left.shift() : left[0];
        if (next instanceof Error) throw next;
        return next ?? {};
      },
    }),
  });
  return { client, asked };
}

test("TASK-X-16: looks at the pace that the task says, which may change", async () => {
  const paces = [500, 500, 2_000, 2_000].map((pollIntervalMs) => ({ ...working, pollIntervalMs }));
  const { client, asked } = await scripted([...paces, completed]);
  const following = followTask(client, "t");
  const counts: number[] = [];
  for (const ms of [0, 499, 1, 500, 1_999, 1, 2_000]) {
    await vi.advanceTimersByTimeAsync(ms);
    counts.push(asked.length);
  }
  expect(counts).toEqual([1, 1, 2, 3, 3, 4, 5]);
  await following;
});

test("TASK-X-16: without a pace it waits a second, and longer while nothing changes", async () => {
  const { client, asked } = await scripted([
    working,
    working,
    working,
    { ...working, lastUpdatedAt: "later" },
    completed,
  ]);
  const following = followTask(client, "t");
  const counts: number[] = [];
  for (const ms of [0, 1_000, 2_000, 4_000, 1_000]) {
    await vi.advanceTimersByTimeAsync(ms);
    counts.push(asked.length);
  }
  expect(counts).toEqual([1, 2, 3, 4, 5]);
  await following;
});

test("TASK-X-01, TASK-X-35: the extension is declared on each request, and tasks are named for who routes them", async () => {
  const { client, asked } = await scripted([completed], { resultType: "task", ...working });
  const calling = client.callTool("x");
  await vi.advanceTimersByTimeAsync(1_000);
  await calling;
  expect(asked.map(({ method, routedBy }) => [method, routedBy])).toEqual([
    ["tools/call", undefined],
    ["tasks/get", "t"],
  ]);
  for (const { params } of asked) {
    expect(params["_meta"]).toMatchObject({
      "io.modelcontextprotocol/clientCapabilities": { extensions: { [id]: {} } },
    });
  }
});

test("TASK-X-07: a task as the answer to anything but a call of a tool is no answer", async () => {
  const { client } = await scripted([{ resultType: "task", ...working }]);
  for (const method of ["custom/thing", "tasks/get"]) {
    await expect(client.request(method)).rejects.toMatchObject({ code: "BAD_REPLY" });
  }
});

test("a server that is not reached for a while does not end a task", async () => {
  const gone = new LocalError("UNREACHABLE", "gone");
  const { client, asked } = await scripted([working, gone, gone, completed]);
  const following = followTask(client, "t");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await following).toEqual({ content: [] });
  expect(asked).toHaveLength(4);
  const { client: lost } = await scripted([gone]);
  const ending = expect(followTask(lost, "t")).rejects.toBe(gone);
  await vi.advanceTimersByTimeAsync(600_000);
  await ending;
});

test.each([
  ["without an id", { status: "working" }],
  ["of a status that is none", { ...working, status: "submitted" }],
  ["completed without a result", { ...working, status: "completed" }],
  ["that asks nothing", { ...working, status: "input_required" }],
  ["with content that is no list", { ...completed, result: { content: "x" } }],
])("a task %s is no answer", async (_, task) => {
  const { client } = await scripted([task]);
  await expect(followTask(client, "t")).rejects.toMatchObject({ code: "BAD_REPLY" });
});
