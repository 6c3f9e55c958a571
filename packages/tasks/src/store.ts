import type { InputRequests, InputResponses } from "@parlance/protocol-versions";
import type { TaskError, TaskFacts, TaskStatus } from "./model.js";

/**
 * A task as it is kept: plain JSON.
 * @stable
 */
export type TaskRecord = TaskFacts & {
  readonly status: TaskStatus;
  /** Whose it is; absent: whoever knows its id. Never sent. */
  readonly owner?: string | undefined;
  /** When it may be forgotten, in milliseconds since 1970; `null`: never. */
  readonly expiresAtMs: number | null;
  /** Questions without an answer yet. */
  readonly inputRequests?: InputRequests | undefined;
  /** The answers so far. */
  readonly inputResponses?: InputResponses | undefined;
  readonly result?: { readonly [key: string]: unknown } | undefined;
  readonly error?: TaskError | undefined;
};

/**
 * Keeps tasks. One that is shared by several processes, or outlives one, lets any of them answer for a task; it should
 * then have `watch`, so that the process that does the work hears of answers and of cancelling.
 * `taskStoreContract` of `@parlance/testing` holds a store to this.
 * @stable
 */
export interface TaskStore {
  /** Settles once `get` finds it, wherever that is asked. @throws when there is a task of that id */
  create(record: TaskRecord): void | Promise<void>;
  /** Nothing when there is none, or `expiresAtMs` is past. */
  get(taskId: string): TaskRecord | undefined | Promise<TaskRecord | undefined>;
  /**
   * Replaces a task by what `change` makes of it, as one step: no other update comes between. `change` is pure and may
   * run several times; when it gives nothing, nothing changes.
   * @returns what the task has become; nothing when nothing changed
   */
  update(
    taskId: string,
    change: (record: TaskRecord) => TaskRecord | undefined,
  ): TaskRecord | undefined | Promise<TaskRecord | undefined>;
  /** What is not there is gone already. */
  delete(taskId: string): void | Promise<void>;
  /** Hears what a task becomes, wherever it was updated. @returns what ends it */
  watch?(taskId: string, listener: (record: TaskRecord) => void): () => void;
}
