import { answer, type Connection, type JsonObject } from "@parlance/jsonrpc";
import type { Change, ListenKey } from "@parlance/protocol-versions";
import { createServer, questions } from "@parlance/server";
import { createToolRegistry } from "@parlance/tool-registry";
import { expect, test } from "vitest";
import { ask, gate, id, info, settled, start } from "../joined.fixture.js";
import { taskTool } from "./task-tool.js";
import { createTasks } from "./tasks.js";

const work = gate<string>();
const slow = taskTool({
  name: "slow",
  description: "",
  task: "optional",
  run: async (_, call) => {
    await call.progress(1, 2, "half");
    await call.log("info", "not for the stream");
    return work.open;
  },
});

test("META-16, EXT-04: in a session there are no tasks: nothing is announced, a tool gives its result", async () => {
  const required = taskTool({ name: "required", description: "", task: "required", run: () => "done" });
  const quick = taskTool({ name: "quick", description: "", task: "optional", run: () => "done" });
  const features = [createToolRegistry([quick, required]), questions(), createTasks()];
  const server = createServer({ info, features });
  const connection: Connection = { closed: new AbortController().signal };
  const send = async (method: string, params: JsonObject): Promise<JsonObject> =>
    JSON.parse((await answer(server, JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }), { connection })) ?? "");
  const capabilities = { extensions: { [id]: {} }, tasks: { requests: {} } };
  const welcome = await send("initialize", { protocolVersion: "2025-11-25", capabilities, clientInfo: info });
  expect(welcome).toMatchObject({ result: { capabilities: { tools: {} } } });
  expect(JSON.stringify(welcome)).not.toContain("tasks");
  expect(await send("tools/call", { name: "quick", task: { ttl: 1 } })).toMatchObject({
    result: { content: [{ text: "done" }] },
  });
  expect(await send("tools/call", { name: "required" })).toMatchObject({ error: { code: -32600 } });
  for (const method of ["tasks/get", "tasks/cancel", "tasks/update"]) {
    expect(await send(method, { taskId: "x" })).toMatchObject({ error: { code: -32601 } });
  }
  await server.close();
});

test("TASK-X-33, TASK-X-34: each change is told whole to who listens to the task, and no progress or log is", async () => {
  const tasks = createTasks();
  const changes: Change[] = [];
  const server = createServer({ info, features: [createToolRegistry([slow]), tasks] });
  const stop = tasks.changed?.((change) => changes.push(change));
  const taskId = await start(server, "slow");
  await settled();
  work.give("done");
  await settled();
  const told = changes.map((change) => (change.type === "extension" ? change : undefined));
  expect(told.map((change) => change?.key)).toEqual([
    { name: "taskIds", value: taskId },
    { name: "taskIds", value: taskId },
  ]);
  expect(told.map((change) => change?.method)).toEqual(["notifications/tasks", "notifications/tasks"]);
  expect(told[0]?.params).toMatchObject({ taskId, status: "working", statusMessage: "half" });
  const { resultType: _type, _meta, ...seen } = (await ask(server, "tasks/get", { taskId })).result;
  expect(JSON.parse(JSON.stringify(told[1]?.params))).toEqual(seen);
  stop?.();
  await server.close();
});

test("TASK-X-33, TASK-X-30: of the ids that are asked for the caller's own are taken; who did not declare is refused", async () => {
  const tasks = createTasks();
  const server = createServer({ info, features: [createToolRegistry([slow]), tasks] });
  const principal = { id: "alice", scopes: [] };
  const taskId = await start(server, "slow", {}, { principal });
  const listen = (who: unknown, capabilities: JsonObject): ReturnType<ListenKey> | undefined =>
    tasks.extension?.listens["taskIds"]?.([taskId, "other"], {
      method: "subscriptions/listen",
      params: {},
      principal: who,
      caller: { capabilities },
    } as never);
  const declared = { extensions: { [id]: {} } };
  expect(await listen(principal, declared)).toEqual([taskId]);
  expect(await listen({ id: "bob", scopes: [] }, declared)).toEqual([]);
  expect(await listen(principal, {})).toMatchObject({
    reason: "needs_capability",
    data: { requiredCapabilities: declared },
  });
  await server.close();
});
