import { memoryTasks, type TaskRecord, type TaskStore } from "@parlance/tasks";
import { describe, expect, test } from "vitest";
import { taskStoreContract } from "./task-store-contract.js";

describe("in memory", () => taskStoreContract({ test, open: () => memoryTasks() }));

describe("as text, read and written in later turns, and watched", () => taskStoreContract({ test, open: textStore }));

/** A store as one over a network is: every step takes a while, and an update is tried until nothing came between. */
function textStore(): TaskStore {
  const texts = new Map<string, string>();
  const watchers = new Set<(record: TaskRecord) => void>();
  const read = async (taskId: string): Promise<string | undefined> => texts.get(taskId);
  const parse = (text: string | undefined): TaskRecord | undefined => {
    const record: TaskRecord | undefined = text === undefined ? undefined : JSON.parse(text);
    return record?.expiresAtMs != null && record.expiresAtMs <= Date.now() ? undefined : record;
  };
  return {
    create: async (record) => {
      if (parse(await read(record.taskId)) !== undefined) throw new Error("taken");
      texts.set(record.taskId, JSON.stringify(record));
    },
    get: async (taskId) => parse(await read(taskId)),
    update: async (taskId, change) => {
      for (;;) {
        const before = await read(taskId);
        const record = parse(before);
        const changed = record && change(record);
        if (changed === undefined) return undefined;
        await Promise.resolve();
        if (texts.get(taskId) !== before) continue;
        texts.set(taskId, JSON.stringify(changed));
        for (const hear of watchers) hear(changed);
        return changed;
      }
    },
    delete: async (taskId) => void texts.delete(taskId),
    watch: (taskId, listener) => {
      const hear = (record: TaskRecord): void => {
        if (record.taskId === taskId) listener(record);
      };
      watchers.add(hear);
      return () => void watchers.delete(hear);
    },
  };
}

test("a store that loses an update does not pass", async () => {
  const failed: string[] = [];
  const runs: Promise<unknown>[] = [];
  const losing = (): TaskStore => ({ ...memoryTasks(), update: (_, change) => change({} as TaskRecord) });
  taskStoreContract({
    test: (title, run) => runs.push(run().catch(() => failed.push(title))),
    open: losing,
  });
  await Promise.all(runs);
  expect(failed).toContain("updates at once all count");
});
