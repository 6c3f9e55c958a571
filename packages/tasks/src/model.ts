import type { InputRequests } from "@parlance/protocol-versions";

/**
 * The id of the extension.
 * @stable
 */
export const tasksId = "io.modelcontextprotocol/tasks";

/**
 * Where a task is. The last three are for good.
 * @stable
 */
export type TaskStatus = "working" | "input_required" | "completed" | "failed" | "cancelled";

/**
 * What a server says of a task, whatever its status.
 * @see io.modelcontextprotocol/tasks, 2026-07-28, tasks
 * @stable
 */
export type TaskFacts = {
  readonly taskId: string;
  /** What it is doing, or why it ended, for people. */
  readonly statusMessage?: string | undefined;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601. */
  readonly lastUpdatedAt: string;
  /** How long it is kept from `createdAt` on, in milliseconds; `null`: without end. It may change. */
  readonly ttlMs: number | null;
  /** How long to wait between two looks, in milliseconds. It may change. */
  readonly pollIntervalMs?: number | undefined;
};

/**
 * A JSON-RPC error, as a failed task keeps it.
 * @stable
 */
export type TaskError = { readonly code: number; readonly message: string; readonly data?: unknown };

/**
 * A task: what `tasks/get` answers and `notifications/tasks` tells.
 * @see io.modelcontextprotocol/tasks, 2026-07-28, task status
 * @stable
 */
export type Task =
  | (TaskFacts & { readonly status: "working" | "cancelled" })
  | (TaskFacts & { readonly status: "input_required"; readonly inputRequests: InputRequests })
  /** `result` is that of the request; a tool's may have `isError`. */
  | (TaskFacts & { readonly status: "completed"; readonly result: { readonly [key: string]: unknown } })
  | (TaskFacts & { readonly status: "failed"; readonly error: TaskError });

/**
 * Whether a task changes no more.
 * @stable
 */
export function isOver(status: TaskStatus): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}

export const getMethod = "tasks/get";
export const updateMethod = "tasks/update";
export const cancelMethod = "tasks/cancel";
