import { type JsonObject, LocalError } from "@parlance/jsonrpc";
import { excerpt } from "@parlance/jsonrpc/codec";
import { isJsonObject } from "@parlance/protocol-versions";
import type { Task } from "../model.js";

const payloads: Readonly<Record<string, string | undefined>> = {
  working: undefined,
  cancelled: undefined,
  input_required: "inputRequests",
  completed: "result",
  failed: "error",
};

/**
 * Reads a task out of a result or a notification.
 * @throws LocalError `BAD_REPLY` for what is none
 */
export function readTask(value: JsonObject): Task {
  const { taskId, status } = value;
  if (typeof taskId !== "string" || typeof status !== "string" || !Object.hasOwn(payloads, status)) {
    throw badTask(`taskId ${excerpt(taskId)} and status ${excerpt(status)}`);
  }
  const payload = payloads[status];
  if (payload !== undefined && !isJsonObject(value[payload])) throw badTask(`status ${status} and no ${payload}`);
  // what matters was looked at; times are for people, and read with care
  return value as Task;
}

/** A task just made may be said to be anything; what goes with its status is asked for. */
export function readSeed(value: JsonObject): JsonObject & Pick<Task, "taskId" | "pollIntervalMs"> {
  const { taskId } = value;
  if (typeof taskId !== "string") throw badTask(`taskId ${excerpt(taskId)}`);
  return { ...value, taskId };
}

function badTask(what: string): LocalError {
  return new LocalError("BAD_REPLY", `the server gave a task with ${what}`);
}
