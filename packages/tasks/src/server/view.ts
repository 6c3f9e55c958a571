import type { JsonObject } from "@parlance/jsonrpc";
import type { TaskRecord } from "../store.js";

/** A new task, as the answer to the call that made it: without anything that comes later. */
export function seedOf({
  taskId,
  statusMessage,
  createdAt,
  lastUpdatedAt,
  ttlMs,
  pollIntervalMs,
}: TaskRecord): JsonObject {
  return { taskId, status: "working", statusMessage, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs };
}

/**
 * A task with what belongs to its status, and nothing that is only kept.
 * @see io.modelcontextprotocol/tasks, 2026-07-28, task polling
 */
export function viewOf(record: TaskRecord): JsonObject {
  const { status, inputRequests, result, error } = record;
  return { ...seedOf(record), status, ...ofStatus() };

  function ofStatus(): JsonObject | undefined {
    switch (status) {
      case "working":
      case "cancelled":
        return undefined;
      case "input_required":
        return { inputRequests };
      case "completed":
        return { result };
      case "failed":
        return { error };
      default:
        return status satisfies never;
    }
  }
}
