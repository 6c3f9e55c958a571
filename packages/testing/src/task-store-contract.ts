import type { TaskRecord, TaskStore } from "@parlance/tasks";
import { assertSame, assertTrue } from "./assert.js";

/**
 * What the suite needs of the test runner and of the store.
 * @stable
 */
export interface TaskStoreContract {
  /** The runner's way to declare a test: `test` of vitest and of `node:test` both fit. */
  readonly test: (title: string, run: () => Promise<void>) => unknown;
  /** Makes a store for each test; it may hold what others left. */
  readonly open: () => TaskStore | Promise<TaskStore>;
  /** Releases what a store holds. */
  readonly close?: ((store: TaskStore) => void | Promise<void>) | undefined;
}

/**
 * Declares the tests that every store of tasks passes.
 * @example taskStoreContract({ test, open: () => memoryTasks() })
 * @see io.modelcontextprotocol/tasks, 2026-07-28, task creation
 * @stable
 */
export function taskStoreContract({ test, open, close }: TaskStoreContract): void {
  for (const [title, check] of Object.entries(checks)) {
    test(title, async () => {
      const store = await open();
      try {
        await check(store, createRecord());
      } finally {
        await close?.(store);
      }
    });
  }
}

const checks: Readonly<Record<string, (store: TaskStore, record: TaskRecord) => Promise<void>>> = {
  "a task is found as soon as it is created, as it was": async (store, record) => {
    await store.create(record);
    assertSame(await store.get(record.taskId), record, "the task");
  },

  "what was never created is not there": async (store, { taskId }) => {
    let isAsked = false;
    const updated = await store.update(taskId, (record) => {
      isAsked = true;
      return record;
    });
    assertSame([await store.get(taskId), updated], [undefined, undefined], "a task that is not there");
    assertTrue(!isAsked, "nobody is asked to change what is not there");
    await store.delete(taskId);
  },

  "an id is taken once": async (store, record) => {
    await store.create(record);
    const again = { ...record, statusMessage: "another" };
    const error = await attempt(() => store.create(again));
    assertTrue(error !== undefined, "a second task of one id is refused");
    assertSame(await store.get(record.taskId), record, "the first");
  },

  "an update replaces the task, and gives what it has become": async (store, record) => {
    await store.create(record);
    const changed: TaskRecord = {
      ...record,
      status: "completed",
      result: { content: [{ text: "é 👩‍👩‍👧", n: [1.5, null] }] },
    };
    assertSame(await store.update(record.taskId, () => changed), changed, "what update gives");
    assertSame(await store.get(record.taskId), changed, "the task");
  },

  "an update that gives nothing changes nothing": async (store, record) => {
    await store.create(record);
    assertSame(await store.update(record.taskId, () => undefined), undefined, "what update gives");
    assertSame(await store.get(record.taskId), record, "the task");
  },

  "updates at once all count": async (store, record) => {
    await store.create(record);
    const { taskId } = record;
    const count = ({ ttlMs, ...rest }: TaskRecord): TaskRecord => ({ ...rest, ttlMs: (ttlMs ?? 0) + 1 });
    await Promise.all(Array.from({ length: 50 }, async () => store.update(taskId, count)));
    assertSame((await store.get(taskId))?.ttlMs, (record.ttlMs ?? 0) + 50, "how often it was counted");
  },

  "tasks do not disturb each other": async (store, record) => {
    const other = createRecord();
    await store.create(record);
    await store.create(other);
    await store.update(record.taskId, (before) => ({ ...before, statusMessage: "changed" }));
    await store.delete(record.taskId);
    assertSame([await store.get(record.taskId), await store.get(other.taskId)], [undefined, other], "both tasks");
  },

  "what has expired is not there, and its id is free": async (store, record) => {
    await store.create(record);
    await store.update(record.taskId, (before) => ({ ...before, expiresAtMs: 1 }));
    assertSame(await store.get(record.taskId), undefined, "a task that has expired");
    assertSame(await store.update(record.taskId, (before) => before), undefined, "an update of it");
    await store.create(record);
  },

  "what never expires stays": async (store, record) => {
    const lasting = { ...record, ttlMs: null, expiresAtMs: null };
    await store.create(lasting);
    assertSame(await store.get(record.taskId), lasting, "the task");
  },

  "where it can be watched, each change is heard, of that task and until it is ended": async (store, record) => {
    if (store.watch === undefined) return;
    const other = createRecord();
    await store.create(record);
    await store.create(other);
    const heard: (string | undefined)[] = [];
    let hear = (): void => {};
    const first = new Promise<void>((resolve) => {
      hear = resolve;
    });
    const end = store.watch(record.taskId, ({ statusMessage }) => {
      heard.push(statusMessage);
      hear();
    });
    await store.update(other.taskId, (before) => ({ ...before, statusMessage: "of another" }));
    await store.update(record.taskId, (before) => ({ ...before, statusMessage: "one" }));
    await first;
    end();
    await store.update(record.taskId, (before) => ({ ...before, statusMessage: "two" }));
    assertSame(heard, ["one"], "the changes that were heard");
  },
};

function createRecord(): TaskRecord {
  const at = new Date().toISOString();
  const times = { createdAt: at, lastUpdatedAt: at, ttlMs: 60_000, expiresAtMs: Date.now() + 60_000 };
  return { taskId: crypto.randomUUID(), status: "working", owner: "somebody", ...times };
}

async function attempt(act: () => unknown): Promise<unknown> {
  try {
    await act();
    return undefined;
  } catch (error) {
    return error;
  }
}
