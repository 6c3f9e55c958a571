// A tool that takes its time: the call becomes a task, which asks a question on its way and is followed by its id alone,
// by a client that did not begin it.
import { extensions } from "@parlance/client";
import { createServer } from "@parlance/server";
import { cancelTask, followTask, startTool, tasks } from "@parlance/tasks/client";
import { createTasks, taskTool } from "@parlance/tasks/server";
import { connectInMemory } from "@parlance/testing";
import { createToolRegistry } from "@parlance/tool-registry";

const pages = ["cover", "contents", "index"];
const print = taskTool({
  name: "print",
  description: "Prints a book",
  task: "optional",
  run: async (_input, call) => {
    for (const [done, page] of pages.entries()) {
      call.signal.throwIfAborted();
      await call.progress(done + 1, pages.length, `the ${page} is printed`);
    }
    const { content } = await call.elicit("cover", "Which cover?", {
      color: { type: "string", enum: ["red", "blue"] },
    });
    return `a book with a ${content?.color ?? "plain"} cover`;
  },
});
const server = createServer({
  info: { name: "printer", version: "1.0.0" },
  features: [createToolRegistry([print]), createTasks({ pollIntervalMs: 20 })],
});

const options = { capabilities: { elicitation: {} }, extensions: extensions(tasks()) };
const first = await connectInMemory(server, options);
const started = await startTool(first, "print");
if (started.type !== "task") throw new Error("the server made no task of it");
const abandoned = await startTool(first, "print");
if (abandoned.type === "task") await cancelTask(first, abandoned.taskId);
await first.close(); // the task goes on

const second = await connectInMemory(server, options);
const { content } = await followTask(second, started.taskId, {
  onTask: ({ status, statusMessage }) => console.log(status, statusMessage ?? ""),
  answer: async () => ({ action: "accept", content: { color: "blue" } }),
});
console.log(content);
await second.close();
await server.close();
