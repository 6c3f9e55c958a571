import { RpcError } from "@parlance/jsonrpc";
import { PublicError } from "@parlance/tool-registry";
import { describe, expect, test, vi } from "vitest";
import { ask, gate, id, joined, serving, settled, start } from "../joined.fixture.js";
import { taskTool } from "./task-tool.js";
import { createTasks } from "./tasks.js";

const undeclared = { capabilities: {} };
const needed = { code: -32021, data: { requiredCapabilities: { extensions: { [id]: {} } } } };
const quick = taskTool({ name: "quick", description: "", task: "optional", run: () => "done" });
const required = taskTool({ name: "required", description: "", task: "required", run: () => "done" });

function working(): {
  tool: ReturnType<typeof taskTool>;
  work: ReturnType<typeof gate<string>>;
  signals: AbortSignal[];
} {
  const work = gate<string>();
  const signals: AbortSignal[] = [];
  const tool = taskTool({
    name: "slow",
    description: "",
    task: "optional",
    run: (_, call) => {
      signals.push(call.signal);
      return work.open;
    },
  });
  return { tool, work, signals };
}

describe("negotiation", () => {
  test("TASK-X-02, TASK-X-32: discover announces the extension, and no capability of another name", async () => {
    const { result } = await ask(serving([quick]), "server/discover");
    expect(result.capabilities.extensions).toEqual({ [id]: {} });
    expect(result.capabilities).not.toHaveProperty("tasks");
  });

  test("TASK-X-03: the server alone decides, call by call, to answer with a task", async () => {
    const some = taskTool({ name: "some", description: "", task: "optional", when: () => worth, run: () => "done" });
    const server = serving([some]);
    let worth = true;
    expect(await ask(server, "tools/call", { name: "some" })).toMatchObject({ result: { resultType: "task" } });
    worth = false;
    const { result } = await ask(server, "tools/call", { name: "some" });
    expect(result).toMatchObject({ resultType: "complete", content: [{ type: "text", text: "done" }] });
  });

  test("TASK-X-04: who did not declare the extension on this request gets the result itself, whatever came before", async () => {
    const server = serving([quick]);
    expect(await ask(server, "tools/call", { name: "quick" })).toMatchObject({ result: { resultType: "task" } });
    const { result } = await ask(server, "tools/call", { name: "quick" }, undeclared);
    expect(result).toMatchObject({ resultType: "complete", content: [{ text: "done" }] });
  });

  test("TASK-X-05: what cannot do without a task says what to declare", async () => {
    expect(await ask(serving([required]), "tools/call", { name: "required" }, undeclared)).toMatchObject({
      error: needed,
    });
  });

  test("TASK-X-32: the tasks of 2025-11-25 declare nothing of this", async () => {
    const legacy = { capabilities: { tasks: { requests: { tools: { call: {} } } } } };
    const server = serving([quick, required]);
    expect(await ask(server, "tools/call", { name: "quick" }, legacy)).toMatchObject({
      result: { resultType: "complete" },
    });
    expect(await ask(server, "tools/call", { name: "required" }, legacy)).toMatchObject({ error: needed });
    expect(await ask(server, "tasks/get", { taskId: "x" }, legacy)).toMatchObject({ error: needed });
  });

  test("TASK-X-30: its methods are closed to who did not declare it", async () => {
    const server = serving([quick]);
    const taskId = await start(server, "quick");
    for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
      expect(await ask(server, method, { taskId, inputResponses: {} }, undeclared)).toMatchObject({ error: needed });
    }
  });

  test("TASK-X-31, META-16: the methods and the parameter of 2025-11-25 are not there", async () => {
    const server = serving([quick]);
    for (const method of ["tasks/result", "tasks/list"]) {
      expect(await ask(server, method, { taskId: "x" })).toMatchObject({ error: { code: -32601 } });
    }
    const legacy = { name: "quick", task: { ttl: 60_000 }, _meta: {} };
    const { result } = await ask(server, "tools/call", legacy, undeclared);
    expect(result).toMatchObject({ resultType: "complete", content: [{ text: "done" }] });
    expect(JSON.stringify(result)).not.toContain("related-task");
  });

  test("TASK-X-35: Mcp-Name is the id of the task, to the letter", async () => {
    const server = serving([quick]);
    const taskId = await start(server, "quick");
    const named = (method: string, name: string | undefined) => ({
      header: (header: string) =>
        ({ "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method, "Mcp-Name": name })[header],
    });
    for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
      const params = { taskId, inputResponses: {} };
      expect(await ask(server, method, params, named(method, taskId))).toMatchObject({ result: {} });
      expect(await ask(server, method, params, named(method, "x"))).toMatchObject({ error: { code: -32020 } });
      expect(await ask(server, method, params, named(method, undefined))).toMatchObject({ error: { code: -32020 } });
    }
  });
});

describe("a task", () => {
  test("TASK-X-08, TASK-X-09: it is made flat, with resultType task and nothing that comes later", async () => {
    const { result } = await ask(serving([quick], { tasks: { ttlMs: 5_000 } }), "tools/call", { name: "quick" });
    expect(result).toEqual({
      resultType: "task",
      taskId: expect.stringMatching(/^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/),
      status: "working",
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      lastUpdatedAt: expect.any(String),
      ttlMs: 5_000,
      pollIntervalMs: 1_000,
      _meta: expect.any(Object),
    });
  });

  test("TASK-X-10: it is said to be there only once the store has it", async () => {
    const kept = gate();
    const { get, ...store } = (await import("../memory.js")).memoryTasks();
    const late = { ...store, get, create: (record: never) => kept.open.then(() => store.create(record)) };
    const server = serving([quick], { tasks: { store: late } });
    let isAnswered = false;
    const calling = ask(server, "tools/call", { name: "quick" }).then((reply) => {
      isAnswered = true;
      return reply;
    });
    await settled();
    expect(isAnswered).toBe(false);
    kept.give();
    const { taskId } = (await calling).result;
    expect(await ask(server, "tasks/get", { taskId })).toMatchObject({ result: { taskId } });
  });

  test("TASK-X-12, TASK-X-08: a look says complete and gives what belongs to the status", async () => {
    const { tool, work } = working();
    const server = serving([tool]);
    const taskId = await start(server, "slow");
    const { result } = await ask(server, "tasks/get", { taskId });
    expect(result).toMatchObject({ resultType: "complete", taskId, status: "working" });
    expect(result).not.toHaveProperty("result");
    work.give("forty-two");
    await settled();
    const { result: over } = await ask(server, "tasks/get", { taskId });
    expect(over).toMatchObject({ resultType: "complete", status: "completed" });
    expect(over.result).toEqual({ content: [{ type: "text", text: "forty-two" }] });
    for (const kept of ["owner", "expiresAtMs", "inputRequests", "inputResponses", "error"]) {
      expect(over).not.toHaveProperty(kept);
    }
  });

  test("TASK-X-13: a tool that failed has completed, with isError in its result", async () => {
    const fails = taskTool({
      name: "fails",
      description: "",
      task: "required",
      run: () => {
        throw new PublicError("no luck");
      },
    });
    const server = serving([fails]);
    const taskId = await start(server, "fails");
    await settled();
    expect(await ask(server, "tasks/get", { taskId })).toMatchObject({
      result: { status: "completed", result: { isError: true, content: [{ text: "no luck" }] } },
    });
  });

  test("TASK-X-12, TASK-X-14: a protocol error fails it, and is its message", async () => {
    const fails = taskTool({
      name: "fails",
      description: "",
      task: "required",
      run: () => {
        throw new RpcError(-32050, "out of paper", { data: { tray: 2 } });
      },
    });
    const server = serving([fails]);
    const taskId = await start(server, "fails");
    await settled();
    const { result } = await ask(server, "tasks/get", { taskId });
    const error = { code: -32050, message: "out of paper", data: { tray: 2 } };
    expect(result).toMatchObject({ status: "failed", statusMessage: "out of paper", error });
    expect(result).not.toHaveProperty("result");
  });

  test("what a tool throws besides is kept from the caller and told to the server", async () => {
    const onError = vi.fn();
    const fails = taskTool({ name: "fails", description: "", task: "required", run: () => Promise.reject(secret) });
    const secret = new Error("password is swordfish");
    const server = serving([fails], { onError });
    const taskId = await start(server, "fails");
    await settled();
    const reply = await ask(server, "tasks/get", { taskId });
    expect(JSON.stringify(reply)).not.toContain("swordfish");
    expect(reply.result).toMatchObject({ status: "completed", result: { isError: true } });
    expect(onError).toHaveBeenCalledWith(secret, expect.objectContaining({ tool: "fails" }));
  });

  test("arguments that do not fit and tools that are unknown make no task", async () => {
    const server = serving([quick]);
    expect(await ask(server, "tools/call", { name: "quick", arguments: { a: 1 } })).toMatchObject({
      result: { resultType: "complete", isError: true },
    });
    expect(await ask(server, "tools/call", { name: "none" })).toMatchObject({ error: { code: -32602 } });
  });

  test("TASK-X-15: it moves in time with each change, and what is over changes no more", async () => {
    const { tool, work } = working();
    const steps = taskTool({
      name: "steps",
      description: "",
      task: "optional",
      run: async (_, call) => {
        await call.progress(1, 3);
        await call.progress(2, 3, "nearly");
        return work.open;
      },
    });
    const server = serving([tool, steps]);
    const taskId = await start(server, "steps");
    await settled();
    const { result: before } = await ask(server, "tasks/get", { taskId });
    expect(before.statusMessage).toBe("nearly");
    expect(before.lastUpdatedAt > before.createdAt).toBe(true);
    await ask(server, "tasks/cancel", { taskId });
    const { result: cancelled } = await ask(server, "tasks/get", { taskId });
    expect(cancelled).toMatchObject({ status: "cancelled" });
    expect(cancelled.lastUpdatedAt > before.lastUpdatedAt).toBe(true);
    work.give("too late");
    await settled();
    await ask(server, "tasks/cancel", { taskId });
    expect((await ask(server, "tasks/get", { taskId })).result).toEqual(cancelled);
  });

  test("TASK-X-24, TASK-X-27: cancelling is acknowledged with nothing else, when it is over too, and stops the work", async () => {
    const { tool, work, signals } = working();
    const onError = vi.fn();
    const server = serving([tool], { onError });
    const taskId = await start(server, "slow");
    const acknowledged = { resultType: "complete", _meta: expect.any(Object) };
    expect((await ask(server, "tasks/cancel", { taskId })).result).toEqual(acknowledged);
    expect(signals[0]?.aborted).toBe(true);
    work.fail(signals[0]?.reason);
    await settled();
    expect(onError).not.toHaveBeenCalled();
    expect((await ask(server, "tasks/cancel", { taskId })).result).toEqual(acknowledged);
    expect((await ask(server, "tasks/get", { taskId })).result.status).toBe("cancelled");
  });

  test("TASK-X-28: it goes on without the connection that made it", async () => {
    const { tool, work, signals } = working();
    const server = serving([tool]);
    const first = await joined(server);
    const { taskId } = (await first.request("tools/call", { name: "slow" })) as { taskId: string };
    await first.close();
    await settled();
    expect(signals[0]?.aborted).toBe(false);
    work.give("done");
    await settled();
    const second = await joined(server);
    expect(await second.request("tasks/get", { taskId })).toMatchObject({ status: "completed" });
  });

  test("TASK-X-29: an id that nobody has is invalid params", async () => {
    const server = serving([quick]);
    for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
      for (const taskId of ["nobody", "", 7, undefined]) {
        const reply = await ask(server, method, { taskId, inputResponses: {} });
        expect(reply).toMatchObject({ error: { code: -32602 } });
      }
    }
  });

  test("TASK-X-36, SEC-03: the task of another is as unknown as one that is not there", async () => {
    const { tool } = working();
    const server = serving([tool]);
    const [alice, bob] = ["alice", "bob"].map((name) => ({ principal: { id: name, scopes: [] } }));
    const taskId = await start(server, "slow", {}, alice);
    const ids = new Set([
      taskId,
      ...(await Promise.all(Array.from({ length: 99 }, () => start(server, "slow", {}, alice)))),
    ]);
    expect(ids.size).toBe(100);
    for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
      const params = { taskId, inputResponses: {} };
      for (const asked of [bob, {}]) {
        expect(await ask(server, method, params, asked)).toEqual({
          ...(await ask(server, method, { ...params, taskId: "0" }, asked)),
          error: { code: -32602, message: `there is no task "${taskId}"` },
        });
      }
    }
    expect(await ask(server, "tasks/get", { taskId }, alice)).toMatchObject({ result: { status: "working" } });
  });
});

describe("limits", () => {
  test("more work than may be done at a time is refused", async () => {
    const { tool } = working();
    const server = serving([tool], { tasks: { maxRunning: 2 } });
    await start(server, "slow");
    await start(server, "slow");
    expect(await ask(server, "tools/call", { name: "slow" })).toMatchObject({ error: { message: /limit/ } });
  });

  test.each([{ ttlMs: 0 }, { keepMs: -1 }, { pollIntervalMs: 1.5 }, { maxRunning: Number.NaN }])(
    "an impossible option is refused: %j",
    (options) => {
      expect(() => createTasks(options)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
    },
  );

  test("work ends with the server, and says so", async () => {
    const { tool, signals } = working();
    const { memoryTasks } = await import("../memory.js");
    const store = memoryTasks();
    const server = serving([tool], { tasks: { store } });
    const taskId = await start(server, "slow");
    await server.close();
    await settled();
    expect(signals[0]?.aborted).toBe(true);
    expect(await store.get(taskId)).toMatchObject({ status: "failed", statusMessage: /server was closed/ });
  });
});
