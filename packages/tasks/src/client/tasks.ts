import { answerQuestion, type Client, type ClientExtension, type RequestOptions } from "@parlance/client";
import { type JsonObject, LocalError } from "@parlance/jsonrpc";
import type { CallToolResult } from "@parlance/protocol-versions";
import { type Task, tasksId } from "../model.js";
import { type AnswerQuestion, type FollowOptions, follow, followCall } from "./follow.js";
import { readSeed } from "./read.js";

/**
 * Lets a client take tasks, as in `connectClient({ extensions: extensions(tasks()), … })`. `callTool` then follows a task
 * to its end; what it says of itself is heard by `onProgress`, and giving up the call cancels it. With `listen` of
 * `@parlance/client` it hears of changes as they come, where the server tells them.
 * @see io.modelcontextprotocol/tasks, 2026-07-28
 * @stable
 */
export function tasks({ listen }: Pick<FollowOptions, "listen"> = {}): ClientExtension {
  return {
    id: tasksId,
    resultTypes: { task: ["tools/call"] },
    finish: (client, result, options) => {
      const { taskId, pollIntervalMs } = readSeed(result);
      return followCall(
        client,
        taskId,
        { answer: answererOf(client), listen, ...asFollowing(options) },
        pollIntervalMs,
      );
    },
  };
}

function answererOf(client: Client): AnswerQuestion {
  return (...question) => answerQuestion(client, ...question);
}

/** The first count is of changes seen: a task has a message, and no numbers. */
function asFollowing({ signal, meta, timeoutMs, maxTotalMs, onProgress }: RequestOptions): FollowOptions {
  let changes = 0;
  const onTask = onProgress && (({ statusMessage }: Task): void => onProgress(++changes, undefined, statusMessage));
  return { signal, meta, timeoutMs, maxTotalMs, onTask };
}

/**
 * What a call came to at once: its result, or a task.
 * @stable
 */
export type StartedTool =
  | { readonly type: "complete"; readonly result: CallToolResult }
  | { readonly type: "task"; readonly taskId: string; readonly pollIntervalMs?: number | undefined };

/**
 * Calls a tool and gives the task, if it becomes one: keep its id, and `followTask` whenever you like.
 * @throws what `client.request` throws
 * @stable
 */
export async function startTool(
  client: Client,
  name: string,
  args: JsonObject = {},
  options?: RequestOptions,
): Promise<StartedTool> {
  const result = await client.request("tools/call", { name, arguments: args }, options);
  if (result["resultType"] === "task") {
    const { taskId, pollIntervalMs } = readSeed(result);
    return { type: "task", taskId, pollIntervalMs };
  }
  return { type: "complete", result: asToolResult(result) };
}

/**
 * Follows a task to its end and gives its result, by its id alone: also one that another client began, before a restart.
 * Giving up by `signal` does not cancel the task: `cancelTask` does.
 * @throws RpcError the error that it failed with, and −32602 for one that the server does not know; LocalError `CANCELLED`;
 * `TIMEOUT` after `maxTotalMs`; `UNSUPPORTED` when it asks and nobody answers
 * @see io.modelcontextprotocol/tasks, 2026-07-28, task polling
 * @stable
 */
export async function followTask(client: Client, taskId: string, options: FollowOptions = {}): Promise<CallToolResult> {
  const { answer = answererOf(client) } = options;
  return asToolResult(await follow(client, taskId, { ...options, answer }));
}

/** @throws LocalError `BAD_REPLY` when the content is no list */
function asToolResult(result: JsonObject): CallToolResult {
  const { content = [] } = result;
  if (!Array.isArray(content)) throw new LocalError("BAD_REPLY", "a task ended with content that is no list");
  return { ...result, content };
}
