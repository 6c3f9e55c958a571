import { AccessError, LocalError } from "@parlance/jsonrpc";
import { isOver } from "./model.js";
import type { TaskRecord, TaskStore } from "./store.js";

/**
 * How many tasks a store in memory keeps.
 * @stable
 */
export const defaultMaxTasks = 10_000;

/** How often what expired is looked for, in milliseconds; what is asked for is looked at each time. */
const sweepMs = 60_000;

/**
 * How tasks are kept in memory.
 * @stable
 */
export interface MemoryTasksOptions {
  /** How many at most: then the one that is over for longest makes place, and when none is, a new one is refused. Default `defaultMaxTasks`. */
  readonly maxTasks?: number | undefined;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/**
 * Keeps tasks as long as the process runs.
 * @throws AccessError `RATE_LIMITED` from `create` when it is full
 * @stable
 */
export function memoryTasks({ maxTasks = defaultMaxTasks, now = Date.now }: MemoryTasksOptions = {}): TaskStore {
  const records = new Map<string, TaskRecord>();
  /** Those that are over, the first to end first: a full store is not searched for each new task. */
  const over = new Set<string>();
  let sweptAt = now();

  function keep(record: TaskRecord): void {
    records.set(record.taskId, record);
    if (isOver(record.status)) over.add(record.taskId);
  }

  function forget(taskId: string): void {
    records.delete(taskId);
    over.delete(taskId);
  }

  function find(taskId: string): TaskRecord | undefined {
    const record = records.get(taskId);
    if (record === undefined || !isExpired(record, now())) return record;
    forget(taskId);
    return undefined;
  }

  function sweep(): void {
    sweptAt = now();
    for (const [taskId, record] of records) if (isExpired(record, sweptAt)) forget(taskId);
  }

  function makePlace(): void {
    if (now() - sweptAt >= sweepMs || (records.size >= maxTasks && over.size === 0)) sweep();
    if (records.size < maxTasks) return;
    const [oldest] = over;
    if (oldest === undefined)
      throw new AccessError("RATE_LIMITED", `${records.size} tasks are kept, which is the limit`);
    forget(oldest);
  }

  return {
    create: (record) => {
      const { taskId } = record;
      if (find(taskId) !== undefined) throw new LocalError("INVALID_ARGUMENT", `there is a task "${taskId}" already`);
      makePlace();
      keep(record);
    },
    get: find,
    update: (taskId, change) => {
      const record = find(taskId);
      const changed = record && change(record);
      if (changed !== undefined) keep(changed);
      return changed;
    },
    delete: forget,
  };
}

function isExpired({ expiresAtMs }: TaskRecord, now: number): boolean {
  return expiresAtMs !== null && expiresAtMs <= now;
}
