import { type JsonObject, rpcCodes } from "@parlance/jsonrpc";
import { isOver, type TaskError } from "../model.js";
import type { TaskRecord, TaskStore } from "../store.js";

/** How a task changes; times are the ledger's. */
type TaskChange = (record: TaskRecord) => Partial<TaskRecord> | undefined;

/** Tasks over their lives, whoever works on them. */
export interface Ledger {
  /** @param facts all that is not given by the time */
  open(facts: Pick<TaskRecord, "taskId" | "owner" | "ttlMs" | "pollIntervalMs">): Promise<TaskRecord>;
  get(taskId: string): Promise<TaskRecord | undefined>;
  /** Nothing when there is no such task, it is over, or `change` gives nothing. */
  change(taskId: string, change: TaskChange): Promise<TaskRecord | undefined>;
  complete(taskId: string, result: JsonObject): Promise<TaskRecord | undefined>;
  fail(taskId: string, error: TaskError): Promise<TaskRecord | undefined>;
  cancel(taskId: string): Promise<TaskRecord | undefined>;
  /** Fails a task that outlived its time. */
  expire(record: TaskRecord): Promise<TaskRecord | undefined>;
  watch(taskId: string, listener: (record: TaskRecord) => void): () => void;
}

/** What a ledger is made of. */
export interface LedgerOptions {
  readonly store: TaskStore;
  /** How long a result is kept at least, in milliseconds. */
  readonly keepMs: number;
  readonly now: () => number;
  /** Hears every change that was made here. */
  readonly changed: (record: TaskRecord) => void;
}

export function createLedger({ store, keepMs, now, changed }: LedgerOptions): Ledger {
  /** Later than the last change, even within a millisecond. */
  function stamp(record: TaskRecord): string {
    return new Date(Math.max(now(), Date.parse(record.lastUpdatedAt) + 1)).toISOString();
  }

  async function change(taskId: string, how: TaskChange): Promise<TaskRecord | undefined> {
    const record = await store.update(taskId, (before) => {
      const after = isOver(before.status) ? undefined : how(before);
      return after && { ...before, ...after, lastUpdatedAt: stamp(before) };
    });
    if (record !== undefined) changed(record);
    return record;
  }

  /** A result is there for a while, however late it came. */
  function end(
    taskId: string,
    status: TaskRecord["status"],
    what: Partial<TaskRecord>,
  ): Promise<TaskRecord | undefined> {
    return change(taskId, ({ createdAt, ttlMs }) => {
      const kept = ttlMs === null ? null : Math.max(ttlMs, now() - Date.parse(createdAt) + keepMs);
      const expiresAtMs = kept === null ? null : Date.parse(createdAt) + kept;
      return { statusMessage: undefined, ...what, status, ttlMs: kept, expiresAtMs, inputRequests: undefined };
    });
  }

  const fail = (taskId: string, error: TaskError): Promise<TaskRecord | undefined> =>
    end(taskId, "failed", { error, statusMessage: error.message });

  return {
    open: async (facts) => {
      const { ttlMs } = facts;
      const nowMs = now();
      const createdAt = new Date(nowMs).toISOString();
      const expiresAtMs = ttlMs === null ? null : nowMs + ttlMs + keepMs;
      const record: TaskRecord = { ...facts, status: "working", createdAt, lastUpdatedAt: createdAt, expiresAtMs };
      await store.create(record);
      return record;
    },
    get: async (taskId) => store.get(taskId),
    change,
    complete: (taskId, result) => end(taskId, "completed", { result }),
    fail,
    cancel: (taskId) => end(taskId, "cancelled", {}),
    expire: async ({ taskId, createdAt, ttlMs }) => {
      if (ttlMs === null || now() < Date.parse(createdAt) + ttlMs) return undefined;
      return fail(taskId, { code: rpcCodes.internalError, message: `the task was not done within ${ttlMs} ms` });
    },
    watch: (taskId, listener) => store.watch?.(taskId, listener) ?? (() => {}),
  };
}
