import type { JsonObject } from "@parlance/jsonrpc";
import type { FormFields } from "@parlance/protocol-versions";
import { describe, expect, test } from "vitest";
import { ask, id, serving, settled, start } from "../joined.fixture.js";
import { taskTool } from "./task-tool.js";

const name: FormFields = { name: { type: "string" } };
const accept = (content: JsonObject): JsonObject => ({ action: "accept", content });

const greet = taskTool({
  name: "greet",
  description: "",
  task: "required",
  run: async (_, call) => {
    const [first, last] = await Promise.all([
      call.elicit("first", "First name?", { name: { type: "string" } }),
      call.elicit("last", "Last name?", { name: { type: "string" } }),
    ]);
    const again = await call.elicit("first", "First name?", { name: { type: "string" } });
    return `Hello, ${first.content?.name} ${last.content?.name}, ${again.content?.name}`;
  },
});

describe("input while a task runs", () => {
  test("TASK-X-12, TASK-X-25: a look gives all open questions, and answers may come one by one", async () => {
    const server = serving([greet]);
    const taskId = await start(server, "greet");
    await settled();
    const { result } = await ask(server, "tasks/get", { taskId });
    expect(result.status).toBe("input_required");
    expect(result.inputRequests).toEqual({
      first: {
        method: "elicitation/create",
        params: expect.objectContaining({ mode: "form", message: "First name?" }),
      },
      last: { method: "elicitation/create", params: expect.objectContaining({ message: "Last name?" }) },
    });
    await ask(server, "tasks/update", { taskId, inputResponses: { first: accept({ name: "Ada" }) } });
    const { result: half } = await ask(server, "tasks/get", { taskId });
    expect(half).toMatchObject({ status: "input_required" });
    expect(Object.keys(half.inputRequests)).toEqual(["last"]);
    await ask(server, "tasks/update", { taskId, inputResponses: { last: accept({ name: "Lovelace" }) } });
    await settled();
    const { result: over } = await ask(server, "tasks/get", { taskId });
    expect(over).toMatchObject({ status: "completed", result: { content: [{ text: "Hello, Ada Lovelace, Ada" }] } });
  });

  test("TASK-X-24, TASK-X-25: an update is acknowledged with nothing else, and keys that are not asked for are ignored", async () => {
    const server = serving([greet]);
    const taskId = await start(server, "greet");
    await settled();
    const before = await ask(server, "tasks/get", { taskId });
    const { result } = await ask(server, "tasks/update", {
      taskId,
      inputResponses: { other: accept({}), constructor: {} },
    });
    expect(result).toEqual({ resultType: "complete", _meta: expect.any(Object) });
    expect(await ask(server, "tasks/get", { taskId })).toEqual(before);
    await ask(server, "tasks/update", { taskId, inputResponses: { first: accept({ name: "Ada" }) } });
    await ask(server, "tasks/update", {
      taskId,
      inputResponses: { first: accept({ name: "Eve" }), last: accept({ name: "L" }) },
    });
    await settled();
    expect((await ask(server, "tasks/get", { taskId })).result.result.content[0].text).toBe("Hello, Ada L, Ada");
  });

  test("TASK-X-23: a key is one question for the life of the task", async () => {
    const twice = taskTool({
      name: "twice",
      description: "",
      task: "required",
      run: async (_, call) => {
        await call.elicit("name", "Name?", name);
        await call.elicit("name", "Another name?", name);
      },
    });
    const server = serving([twice], { onError: () => {} });
    const taskId = await start(server, "twice");
    await settled();
    await ask(server, "tasks/update", { taskId, inputResponses: { name: accept({ name: "Ada" }) } });
    await settled();
    expect(await ask(server, "tasks/get", { taskId })).toMatchObject({
      result: { status: "completed", result: { isError: true } },
    });
  });

  test("an answer that does not fit is refused, and a right one may follow", async () => {
    const server = serving([greet]);
    const taskId = await start(server, "greet");
    await settled();
    const wrong = { taskId, inputResponses: { first: accept({ name: 7 }) } };
    expect(await ask(server, "tasks/update", wrong)).toMatchObject({
      error: { code: -32602, message: /the answer to "first"/ },
    });
    expect(await ask(server, "tasks/update", { taskId })).toMatchObject({ error: { code: -32602 } });
    expect(Object.keys((await ask(server, "tasks/get", { taskId })).result.inputRequests)).toEqual(["first", "last"]);
  });

  test("a caller that cannot be asked is not", async () => {
    const server = serving([greet]);
    const taskId = await start(server, "greet", {}, { capabilities: { extensions: { [id]: {} } } });
    await settled();
    expect(await ask(server, "tasks/get", { taskId })).toMatchObject({
      result: {
        status: "failed",
        error: { code: -32021, data: { requiredCapabilities: { elicitation: { form: {} } } } },
      },
    });
  });

  test("cancelling ends the wait for an answer", async () => {
    const reasons: unknown[] = [];
    const waits = taskTool({
      name: "waits",
      description: "",
      task: "required",
      run: async (_, call) => {
        await call.elicit("name", "Name?", name).catch((error: unknown) => reasons.push(error));
      },
    });
    const server = serving([waits]);
    const taskId = await start(server, "waits");
    await settled();
    await ask(server, "tasks/cancel", { taskId });
    await settled();
    expect(reasons).toEqual([expect.objectContaining({ code: "CLOSED" })]);
    expect(await ask(server, "tasks/get", { taskId })).not.toHaveProperty("result.inputRequests");
  });

  test("work that is done once is done once", async () => {
    let runs = 0;
    const works = taskTool({
      name: "works",
      description: "",
      task: "required",
      run: async (_, call) => {
        const count = (): number => ++runs;
        return Promise.all([call.once("count", count), call.once("count", count)]);
      },
    });
    const server = serving([works]);
    const taskId = await start(server, "works");
    await settled();
    expect((await ask(server, "tasks/get", { taskId })).result.result.content[0].text).toBe("[1,1]");
  });
});

describe("input before a task", () => {
  const named = taskTool({
    name: "named",
    description: "",
    task: "required",
    before: async (_, call) => (await call.elicit("user_name", "Name?", { name: { type: "string" } })).content?.name,
    run: (_input, _call, who) => `Hello, ${who}`,
  });

  test("TASK-X-11: questions that come first are asked by the call itself, which becomes a task once they are answered", async () => {
    const server = serving([named]);
    const { result: asked } = await ask(server, "tools/call", { name: "named" });
    expect(asked).toMatchObject({ resultType: "input_required", inputRequests: { user_name: {} } });
    expect(asked).not.toHaveProperty("taskId");
    const inputResponses = { user_name: accept({ name: "Alice" }) };
    const { requestState } = asked;
    const { result } = await ask(server, "tools/call", { name: "named", inputResponses, requestState });
    expect(result).toMatchObject({ resultType: "task", status: "working" });
    expect(result).not.toHaveProperty("requestState");
    await settled();
    expect((await ask(server, "tasks/get", { taskId: result.taskId })).result.result.content[0].text).toBe(
      "Hello, Alice",
    );
  });

  test("a tool that may run without a task asks by the call in both of its parts", async () => {
    const optional = taskTool({
      name: "optional",
      description: "",
      task: "optional",
      run: async (_, call) => (await call.elicit("name", "Name?", { name: { type: "string" } })).content?.name,
    });
    const server = serving([optional]);
    const alone = { capabilities: { elicitation: {} } };
    const { result } = await ask(server, "tools/call", { name: "optional" }, alone);
    expect(result.resultType).toBe("input_required");
    const inputResponses = { name: accept({ name: "Ada" }) };
    const again = { name: "optional", inputResponses, requestState: result.requestState };
    expect((await ask(server, "tools/call", again, alone)).result.content[0].text).toBe("Ada");
  });
});

test("any text is a key of a question", async () => {
  const odd = taskTool({
    name: "odd",
    description: "",
    task: "required",
    run: async (_, call) => {
      const both = [call.elicit("__proto__", "One?", name), call.elicit("constructor", "Two?", name)];
      return (await Promise.all(both)).map(({ action }) => action).join();
    },
  });
  const server = serving([odd]);
  const taskId = await start(server, "odd");
  await settled();
  const answer = async (text: string): Promise<string> => {
    await ask(server, "tasks/update", { taskId, inputResponses: JSON.parse(text) });
    await settled();
    return JSON.stringify((await ask(server, "tasks/get", { taskId })).result);
  };
  expect(await answer('{"__proto__":{"action":"decline"}}')).not.toContain("__proto__");
  expect(await answer('{"constructor":{"action":"cancel"}}')).toContain("decline,cancel");
});
