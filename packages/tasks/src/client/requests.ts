import type { Client, RequestOptions } from "@parlance/client";
import { type JsonObject, LocalError } from "@parlance/jsonrpc";
import type { InputResponses } from "@parlance/protocol-versions";
import { cancelMethod, getMethod, type Task, tasksId, updateMethod } from "../model.js";
import { readTask } from "./read.js";

/**
 * Looks at a task.
 * @throws LocalError `UNSUPPORTED` when the server has no tasks; RpcError −32602 when it does not know this one
 * @see io.modelcontextprotocol/tasks, 2026-07-28, task polling
 * @stable
 */
export async function getTask(client: Client, taskId: string, options?: RequestOptions): Promise<Task> {
  return readTask(await send(client, getMethod, taskId, {}, options));
}

/**
 * Gives a task answers to what it asks, by their keys. It may take them later than this settles.
 * @throws as `getTask`
 * @see io.modelcontextprotocol/tasks, 2026-07-28, task update requests
 * @stable
 */
export async function updateTask(
  client: Client,
  taskId: string,
  inputResponses: InputResponses,
  options?: RequestOptions,
): Promise<void> {
  await send(client, updateMethod, taskId, { inputResponses }, options);
}

/**
 * Asks that a task be cancelled. It may still end in another way.
 * @throws as `getTask`
 * @see io.modelcontextprotocol/tasks, 2026-07-28, task cancellation
 * @stable
 */
export async function cancelTask(client: Client, taskId: string, options?: RequestOptions): Promise<void> {
  await send(client, cancelMethod, taskId, {}, options);
}

async function send(
  client: Client,
  method: string,
  taskId: string,
  params: JsonObject,
  options: RequestOptions = {},
): Promise<JsonObject> {
  const { era, capabilities } = client.server;
  // before anything was heard from it, it is not known what a server announces
  const isKnown = Object.keys(capabilities).length > 0;
  if (era !== "stateless" || (isKnown && !(tasksId in (capabilities.extensions ?? {})))) {
    throw new LocalError("UNSUPPORTED", `the server does not announce ${tasksId}, which ${method} needs`, {
      details: { method, capability: tasksId },
    });
  }
  return client.request(method, { taskId, ...params }, { ...options, routedBy: taskId });
}
