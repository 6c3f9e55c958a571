import { extensions, listen } from "@parlance/client";
import { expect, test, vi } from "vitest";
import { gate, joined, serving } from "../joined.fixture.js";
import { taskTool } from "../server/task-tool.js";
import { followTask, startTool, tasks } from "./tasks.js";

// A look would only come after minutes: what is heard within the test's own time was told.
const rare = 300_000;

function stepping(): { tool: ReturnType<typeof taskTool>; steps: ReturnType<typeof gate<string>>[] } {
  const steps = [gate<string>(), gate<string>()];
  const tool = taskTool({
    name: "steps",
    description: "",
    task: "required",
    run: async (_, call) => {
      await call.progress(1, 2, await steps[0]?.open);
      await call.log("info", "not for the stream");
      return steps[1]?.open;
    },
  });
  return { tool, steps };
}

test("TASK-X-33, TASK-X-34: a follower that listens is told each change, whole, and of nothing else", async () => {
  const { tool, steps } = stepping();
  const client = await joined(serving([tool], { tasks: { pollIntervalMs: rare } }));
  const started = await startTool(client, "steps");
  if (started.type !== "task") throw new Error("no task");
  const events: unknown[] = [];
  const subscription = await listen(client, { taskIds: [started.taskId, "another's"] }, (event) => events.push(event));
  expect(subscription.honored).toEqual({ taskIds: [started.taskId] });
  const request = vi.spyOn(client, "request");
  const half = gate();
  const following = followTask(client, started.taskId, {
    listen,
    onTask: ({ statusMessage }) => {
      if (statusMessage === "half") half.give();
    },
  });
  await expect.poll(() => request.mock.calls.length).toBe(1);
  steps[0]?.give("half");
  await half.open;
  steps[1]?.give("done");
  expect(await following).toEqual({ content: [{ type: "text", text: "done" }] });
  expect(request.mock.calls.map(([method]) => method)).toEqual(["tasks/get"]);
  await expect.poll(() => events.length).toBe(2);
  expect(events).toMatchObject([
    { type: "extension", method: "notifications/tasks", params: { status: "working", statusMessage: "half" } },
    { type: "extension", method: "notifications/tasks", params: { status: "completed", result: { content: [{}] } } },
  ]);
  await subscription.close();
});

test("TASK-X-33: so is a call that became a task", async () => {
  const { tool, steps } = stepping();
  const client = await joined(serving([tool], { tasks: { pollIntervalMs: 10 } }), {
    extensions: extensions(tasks({ listen })),
  });
  const heard: unknown[] = [];
  const calling = client.callTool("steps", {}, { onProgress: (_done, _total, message) => heard.push(message) });
  steps[0]?.give("half");
  await expect.poll(() => heard).toContain("half");
  steps[1]?.give("done");
  expect(await calling).toMatchObject({ content: [{ text: "done" }] });
});

test("TASK-X-30: who did not declare the extension may not listen to a task", async () => {
  const { tool } = stepping();
  const server = serving([tool]);
  const client = await joined(server, { extensions: undefined });
  await expect(listen(client, { taskIds: ["x"] }, () => {})).rejects.toMatchObject({
    code: -32021,
    data: { requiredCapabilities: { extensions: { "io.modelcontextprotocol/tasks": {} } } },
  });
});
