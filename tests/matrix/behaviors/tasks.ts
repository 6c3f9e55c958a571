import { answers, extensions, listen } from "@parlance/client";
import { cancelTask, followTask, startTool, tasks } from "@parlance/tasks/client";
import { expect } from "vitest";
import type { Behavior } from "../behavior.js";

const form = async (): Promise<{ action: "accept"; content: { name: string } }> => ({
  action: "accept",
  content: { name: "Ada" },
});

/** Calls that outlive their request. */
export const tasksBehaviors: readonly Behavior[] = [
  {
    title: "a call that may be a task gives its result to everybody, by a task to clients that take one",
    run: async ({ client: plain }, { connect, era }) => {
      const { client, frames } = await connect({ extensions: extensions(tasks()) });
      const expected = { content: [{ type: "text", text: "toiled" }] };
      expect(await plain.callTool("toil")).toMatchObject(expected);
      expect(await client.callTool("toil")).toMatchObject(expected);
      expect(frames.some(({ text }) => text.includes('"tasks/get"'))).toBe(era === "stateless");
      await client.close();
    },
  },
  {
    title: "tasks are announced where there are any",
    run: async ({ client }, { era }) => {
      const there = { "io.modelcontextprotocol/tasks": {} };
      expect(client.server.capabilities.extensions).toEqual(era === "stateless" ? there : undefined);
      expect(client.server.capabilities).not.toHaveProperty("tasks");
    },
  },
  {
    title: "a task asks the client's user, and is followed by its id, by looking as by listening",
    only: "stateless",
    run: async (_, { connect }) => {
      const { client } = await connect({ extensions: extensions(tasks()), answers: answers({ form }) });
      for (const options of [{}, { listen }]) {
        const started = await startTool(client, "toil", { asks: true });
        expect(started.type).toBe("task");
        if (started.type !== "task") continue;
        const { content } = await followTask(client, started.taskId, options);
        expect(content).toEqual([{ type: "text", text: "toiled for Ada" }]);
      }
      await client.close();
    },
  },
  {
    title: "a task is cancelled by its id",
    only: "stateless",
    run: async (_, { connect }) => {
      const { client } = await connect({ extensions: extensions(tasks()) });
      const started = await startTool(client, "toil", { waits: true });
      if (started.type !== "task") throw new Error("no task was made");
      await cancelTask(client, started.taskId);
      await expect(followTask(client, started.taskId)).rejects.toMatchObject({ code: "CANCELLED" });
      await client.close();
    },
  },
];
