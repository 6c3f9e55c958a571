import type { Client, listen, RequestOptions } from "@parlance/client";
import { type JsonObject, LocalError, RpcError } from "@parlance/jsonrpc";
import type { InputRequests } from "@parlance/protocol-versions";
import type { Task } from "../model.js";
import { pause } from "./pause.js";
import { readTask } from "./read.js";
import { cancelTask, getTask, updateTask } from "./requests.js";

/**
 * What following a task does unless it is told otherwise. Times are in milliseconds.
 * @stable
 */
export const followDefaults: {
  /** The wait between two looks at a task that does not say; it doubles while nothing changes. */
  readonly pollIntervalMs: number;
  /** The longest wait of one that does not say, and the wait while the server tells of changes by itself. */
  readonly maxPollIntervalMs: number;
  /** How often in a row a look may fail because the server is not reached. */
  readonly maxTries: number;
} = { pollIntervalMs: 1_000, maxPollIntervalMs: 30_000, maxTries: 10 };

/**
 * Answers one question of a server: `elicitation/create`, `sampling/createMessage` or `roots/list`.
 * @stable
 */
export type AnswerQuestion = (method: string, params: JsonObject, signal?: AbortSignal) => Promise<JsonObject>;

/**
 * How a task is followed.
 * @stable
 */
export interface FollowOptions extends Pick<RequestOptions, "signal" | "meta" | "timeoutMs"> {
  /** Hears what the task has become, each time that it changed. */
  readonly onTask?: ((task: Task) => void) | undefined;
  /** Answers what it asks. Default: what `connectClient` was given for it. */
  readonly answer?: AnswerQuestion | undefined;
  /** `listen` of `@parlance/client`: hears of changes as they come, where the server tells them. Default: looks only. */
  readonly listen?: typeof listen | undefined;
  /** How long to follow it in all, in milliseconds. Default: as long as it takes. */
  readonly maxTotalMs?: number | undefined;
}

/**
 * Follows a task to its end, and answers what it asks on the way.
 * @param pollIntervalMs how long to wait before the first look
 * @returns its result
 */
export async function follow(
  client: Client,
  taskId: string,
  options: FollowOptions,
  pollIntervalMs?: number,
): Promise<JsonObject> {
  const { signal, meta, timeoutMs, onTask, answer = cannotAnswer, maxTotalMs = Number.POSITIVE_INFINITY } = options;
  const over = new AbortController();
  const startedAtMs = performance.now();
  const asked = new Set<string>();
  let failure: { readonly error: unknown } | undefined;
  let last: Task | undefined;
  let told: Task | undefined;
  let isTold = false;
  let waitMs = pollIntervalMs ?? 0;
  let tries = 0;
  let wake = (): void => {};

  /** What is told while nobody waits is seen before the next wait. */
  function lookAgain(): void {
    waitMs = 0;
    wake();
  }

  async function hear(): Promise<void> {
    const subscription = await options.listen?.(
      client,
      { taskIds: [taskId] },
      (event) => {
        // after a stream that broke something may have been missed
        if (event.type === "resync") lookAgain();
        if (event.type !== "extension" || event.params["taskId"] !== taskId) return;
        told = readTask(event.params);
        lookAgain();
      },
      { signal: over.signal, timeoutMs },
    );
    const ids = subscription?.honored["taskIds"];
    isTold = Array.isArray(ids) && ids.includes(taskId);
  }

  /** Each key once, though it is seen in every look. */
  function answerAll(requests: InputRequests): void {
    for (const [key, { method, params = {} }] of Object.entries(requests)) {
      if (asked.has(key)) continue;
      asked.add(key);
      answerOne(key, method, params).catch((error: unknown) => {
        failure ??= { error };
        lookAgain();
      });
    }
  }

  async function answerOne(key: string, method: string, params: JsonObject): Promise<void> {
    const given = await answerOrCancel(answer, method, params, over.signal);
    if (over.signal.aborted) return;
    await updateTask(client, taskId, { [key]: given }, { timeoutMs, meta });
    lookAgain();
  }

  async function look(): Promise<Task | undefined> {
    const heard = told;
    told = undefined;
    if (heard !== undefined) return heard;
    try {
      const task = await getTask(client, taskId, { signal, timeoutMs, meta });
      tries = 0;
      return task;
    } catch (error) {
      tries += 1;
      if (signal?.aborted || !mayPass(error) || tries >= followDefaults.maxTries) throw error;
      return undefined;
    }
  }

  // who cannot be listened to is looked at
  hear().catch(() => {});
  try {
    for (;;) {
      // a server may ask for a longer wait than there is
      const leftMs = Math.max(0, startedAtMs + maxTotalMs - performance.now());
      if (waitMs > 0)
        await pause(Math.min(waitMs, leftMs), signal, (now) => {
          wake = now;
        });
      signal?.throwIfAborted();
      if (failure !== undefined) throw failure.error;
      if (performance.now() - startedAtMs >= maxTotalMs) throw tooLong(taskId, maxTotalMs);
      const task = await look();
      const isNew = task !== undefined && isNews(task, last);
      waitMs = isTold ? followDefaults.maxPollIntervalMs : nextWait(task ?? last, isNew, waitMs);
      // it came while this was looked at
      if (told !== undefined || failure !== undefined) waitMs = 0;
      if (task === undefined) continue;
      if (isNew) onTask?.(task);
      last = task;
      switch (task.status) {
        case "completed":
          return task.result;
        case "failed":
          throw new RpcError(task.error.code, task.error.message, { data: task.error.data });
        case "cancelled":
          throw new LocalError("CANCELLED", `task "${taskId}" was cancelled`, { details: { taskId } });
        case "input_required":
          answerAll(task.inputRequests);
          break;
        case "working":
          break;
        default:
          task satisfies never;
      }
    }
  } finally {
    over.abort(new LocalError("CLOSED", "the task is not followed any more"));
  }
}

/** Follows a task that belongs to a call: who gives up the call gives up the task. */
export async function followCall(
  client: Client,
  taskId: string,
  options: FollowOptions,
  pollIntervalMs: number | undefined,
): Promise<JsonObject> {
  try {
    return await follow(client, taskId, options, pollIntervalMs ?? followDefaults.pollIntervalMs);
  } catch (error) {
    const gaveUp = options.signal?.aborted || (error instanceof LocalError && error.code === "TIMEOUT");
    // told if it can be; nobody waits for it
    if (gaveUp) void cancelTask(client, taskId).catch(() => {});
    throw error;
  }
}

function isNews(task: Task, last: Task | undefined): boolean {
  return last === undefined || task.status !== last.status || task.lastUpdatedAt !== last.lastUpdatedAt;
}

function nextWait(task: Task | undefined, isNew: boolean, waitMs: number): number {
  const { pollIntervalMs = 0 } = task ?? {};
  if (pollIntervalMs > 0) return pollIntervalMs;
  const { pollIntervalMs: first, maxPollIntervalMs } = followDefaults;
  return isNew || waitMs === 0 ? first : Math.min(waitMs * 2, maxPollIntervalMs);
}

/** Whether the server may be there again later: the task does not depend on the connection. */
function mayPass(error: unknown): boolean {
  if (error instanceof LocalError) {
    return ["CLOSED", "UNREACHABLE", "TIMEOUT", "SESSION_LOST"].includes(error.code) || error.details["status"] === 429;
  }
  return error instanceof RpcError && error.code === 429;
}

function tooLong(taskId: string, maxTotalMs: number): LocalError {
  return new LocalError("TIMEOUT", `task "${taskId}" was not done within ${maxTotalMs} ms`, {
    details: { taskId, maxTotalMs },
  });
}

/** As in a call: who fails over a form or a page leaves it cancelled; other questions have no such answer. */
async function answerOrCancel(
  answer: AnswerQuestion,
  method: string,
  params: JsonObject,
  signal: AbortSignal,
): Promise<JsonObject> {
  try {
    return await answer(method, params, signal);
  } catch (error) {
    const isHandlers = !(error instanceof RpcError || error instanceof LocalError);
    if (method === "elicitation/create" && isHandlers) return { action: "cancel" };
    throw error;
  }
}

async function cannotAnswer(method: string): Promise<never> {
  throw new LocalError("UNSUPPORTED", `a task asks for ${method}, which this client does not answer`, {
    details: { method },
  });
}
