import { AccessError, type JsonObject, LocalError, rpcCodes } from "@parlance/jsonrpc";
import { excerpt } from "@parlance/jsonrpc/codec";
import { isPromise } from "@parlance/jsonrpc/respond";
import {
  answerFault,
  type Call,
  type Change,
  declaredExtension,
  extension,
  type Feature,
  type FeatureSet,
  type InputResponses,
  isJsonObject,
  listening,
  type OnError,
  type Outcome,
  type Refused,
} from "@parlance/protocol-versions";
import { memoryTasks } from "../memory.js";
import { cancelMethod, getMethod, isOver, tasksId, updateMethod } from "../model.js";
import type { TaskRecord, TaskStore } from "../store.js";
import { withBeginning } from "./begun.js";
import { createLedger } from "./ledger.js";
import { checkLimit } from "./limit.js";
import { createPacing } from "./pacing.js";
import { seedOf, viewOf } from "./view.js";
import { beginWork, publicError, type Work } from "./work.js";

/**
 * What tasks do unless they are told otherwise. Times are in milliseconds.
 * @stable
 */
export const taskDefaults: {
  /** How long a task may take. */
  readonly ttlMs: number;
  /** How long a result is kept at least. */
  readonly keepMs: number;
  /** How long a client should wait between two looks. */
  readonly pollIntervalMs: number;
  /** How many tasks may be worked on at a time. */
  readonly maxRunning: number;
} = { ttlMs: 3_600_000, keepMs: 600_000, pollIntervalMs: 1_000, maxRunning: 1_000 };

/**
 * How a server's tasks behave.
 * @stable
 */
export interface TasksOptions {
  /** Where they are kept. Default: `memoryTasks()`. */
  readonly store?: TaskStore | undefined;
  /** How long a task may take, in milliseconds; then it fails. `null`: without end. Default `taskDefaults.ttlMs`. */
  readonly ttlMs?: number | null | undefined;
  /** How long what a task came to is kept at least, in milliseconds. Default `taskDefaults.keepMs`. */
  readonly keepMs?: number | undefined;
  /** How long a client should wait between two looks, in milliseconds. Default `taskDefaults.pollIntervalMs`. */
  readonly pollIntervalMs?: number | undefined;
  /** Holds the answer to a client that looks more often until it is time, or the task changed. Default `false`. */
  readonly pace?: boolean | undefined;
  /** How many tasks may be worked on at a time; more are refused. Default `taskDefaults.maxRunning`. */
  readonly maxRunning?: number | undefined;
  /** Whose a task is: only who has the same owner gets to know of it. Default: the principal's id, or nobody's. */
  readonly owner?: ((call: Call) => string | undefined) | undefined;
}

/**
 * Lets the calls of a server's `taskTool`s become tasks, for clients that take them: a feature set of the stateless era.
 * Work on tasks ends with the server.
 * @throws LocalError `INVALID_ARGUMENT` for an option that is wrong
 * @see io.modelcontextprotocol/tasks, 2026-07-28
 * @stable
 */
export function createTasks(options: TasksOptions = {}): FeatureSet {
  const { store = memoryTasks(), owner = ownerOf, pace = false } = options;
  const { ttlMs, keepMs, pollIntervalMs, maxRunning } = limitsOf(options);
  const works = new Map<string, Work>();
  const listeners = new Set<(change: Change) => void>();
  const failures = new Set<OnError>();
  const pacing = createPacing();
  const ledger = createLedger({ store, keepMs, now: Date.now, changed });

  function changed(record: TaskRecord): void {
    const { taskId } = record;
    works.get(taskId)?.saw(record);
    pacing.changed(taskId);
    if (listeners.size === 0) return;
    const key = { name: "taskIds", value: taskId };
    const change: Change = { type: "extension", method: "notifications/tasks", params: viewOf(record), key };
    for (const listener of listeners) listener(change);
  }

  async function find(call: Call, taskId: unknown = call.params["taskId"]): Promise<TaskRecord | Refused> {
    const record = typeof taskId === "string" ? await ledger.get(taskId) : undefined;
    // one that is another's is as unknown as one that is not there
    if (record === undefined || record.owner !== owner(call)) return refuse(`there is no task ${excerpt(taskId)}`);
    if (isOver(record.status) || works.has(record.taskId)) return record;
    return (await ledger.expire(record)) ?? record;
  }

  async function get(call: Call): Promise<Outcome> {
    let record = await find(call);
    if ("reason" in record) return record;
    if (pace && works.has(record.taskId) && (await pacing.hold(record, call.signal))) record = await find(call);
    return "reason" in record ? record : { type: "complete", result: viewOf(record) };
  }

  async function update(call: Call): Promise<Outcome> {
    const { inputResponses } = call.params;
    if (!isAnswers(inputResponses)) return refuse("inputResponses must be an object of answers by their keys");
    const record = await find(call);
    if ("reason" in record) return record;
    const fault = faultOf(record, inputResponses);
    if (fault !== undefined) return refuse(fault);
    await ledger.change(record.taskId, (before) => answered(before, inputResponses));
    return done;
  }

  async function cancel(call: Call): Promise<Outcome> {
    const record = await find(call);
    if ("reason" in record) return record;
    await ledger.cancel(record.taskId);
    return done;
  }

  /** Answers with a task when the call becomes one, and with the result when it does not. */
  function start(next: Feature, call: Call): Outcome | Promise<Outcome> {
    let work: Work | undefined;
    let begun = (_outcome: Outcome): void => {};
    const opened = new Promise<Outcome>((resolve) => {
      begun = resolve;
    });
    const outcome = next(
      withBeginning(call, {
        begin: async (from, own) => {
          if (works.size >= maxRunning) throw full(works.size);
          const { ttlMs: lasting = ttlMs, pollIntervalMs: every = pollIntervalMs } = own;
          const facts = { taskId: crypto.randomUUID(), owner: owner(call), ttlMs: lasting, pollIntervalMs: every };
          const record = await ledger.open(facts);
          const { taskId } = record;
          work = beginWork(record, ledger, () => {
            works.delete(taskId);
            pacing.forget(taskId);
          });
          works.set(taskId, work);
          begun({ type: "extended", resultType: "task", result: seedOf(record) });
          return work.call(from);
        },
      }),
    );
    if (!isPromise(outcome)) return outcome;
    const ended = outcome.then(
      (last) => work?.done(last),
      (error: unknown) => work?.failed(publicError(error) ?? masked(error, call)),
    );
    // where a task cannot be kept any more nobody but the server's owner can be told
    ended.catch((error: unknown) => masked(error, call));
    return Promise.race([opened, outcome]);
  }

  function masked(
    error: unknown,
    { method }: Call,
  ): { readonly code: number; readonly message: string; readonly data: unknown } {
    const correlationId = crypto.randomUUID();
    for (const listener of failures) listener(error, { method, correlationId });
    return { code: rpcCodes.internalError, message: "Internal error", data: { correlationId } };
  }

  async function mayHear(taskId: string, call: Call): Promise<boolean> {
    return !("reason" in (await find(call, taskId)));
  }

  return {
    ...listening(),
    ...extension({
      id: tasksId,
      methods: { [getMethod]: get, [updateMethod]: update, [cancelMethod]: cancel },
      named: { [getMethod]: "taskId", [updateMethod]: "taskId", [cancelMethod]: "taskId" },
      listens: {
        taskIds: async (asked, call) => {
          const known = await Promise.all(asked.map((taskId) => mayHear(taskId, call)));
          return asked.filter((_, at) => known[at]);
        },
      },
    }),
    eras: ["stateless"],
    around: (next) => (call) =>
      call.method === "tools/call" && declaredExtension(call.caller.capabilities, tasksId) !== undefined
        ? start(next, call)
        : next(call),
    changed(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) closeAll();
      };
    },
    failed(listener) {
      failures.add(listener);
      return () => void failures.delete(listener);
    },
  };

  /** What was worked on here is told that it will not be done: nobody else does it. */
  function closeAll(): void {
    const message = "the server was closed before the task was done";
    for (const [taskId, work] of works) {
      const told = ledger.fail(taskId, { code: rpcCodes.internalError, message });
      // a store that fails keeps the work from nothing
      void told.catch(() => {}).then(() => work.abort(new LocalError("CLOSED", message)));
    }
  }
}

const done: Outcome = { type: "complete", result: {} };

/** What a task has become by these answers; nothing when it waits for none of them. */
function answered(
  { inputRequests = {}, inputResponses }: TaskRecord,
  given: InputResponses,
): Partial<TaskRecord> | undefined {
  // made from entries: any text is a key, `__proto__` too
  const taken: [string, JsonObject][] = [];
  const open: [string, (typeof inputRequests)[string]][] = [];
  for (const [key, request] of Object.entries(inputRequests)) {
    const answer = Object.hasOwn(given, key) ? given[key] : undefined;
    if (answer === undefined) open.push([key, request]);
    else taken.push([key, answer]);
  }
  if (taken.length === 0) return undefined;
  const answers = { ...inputResponses, ...Object.fromEntries(taken) };
  if (open.length > 0) return { inputRequests: Object.fromEntries(open), inputResponses: answers };
  return { status: "working", inputRequests: undefined, inputResponses: answers };
}

/** A wrong answer leaves its question open, so that a right one may follow. */
function faultOf({ inputRequests = {} }: TaskRecord, given: InputResponses): string | undefined {
  for (const [key, { method, params = {} }] of Object.entries(inputRequests)) {
    const answer = Object.hasOwn(given, key) ? given[key] : undefined;
    const fault = isJsonObject(answer) ? answerFault(method, params, answer) : undefined;
    if (fault !== undefined) return `the answer to "${key}" ${fault}`;
  }
  return undefined;
}

/** Times and counts, with what is missing filled in. */
interface Limits {
  readonly ttlMs: number | null;
  readonly keepMs: number;
  readonly pollIntervalMs: number;
  readonly maxRunning: number;
}

function limitsOf(options: TasksOptions): Limits {
  const {
    ttlMs = taskDefaults.ttlMs,
    keepMs = taskDefaults.keepMs,
    pollIntervalMs = taskDefaults.pollIntervalMs,
    maxRunning = taskDefaults.maxRunning,
  } = options;
  if (ttlMs !== null) checkLimit("ttlMs", ttlMs);
  checkLimit("keepMs", keepMs);
  checkLimit("pollIntervalMs", pollIntervalMs);
  checkLimit("maxRunning", maxRunning);
  return { ttlMs, keepMs, pollIntervalMs, maxRunning };
}

function ownerOf({ principal }: Call): string | undefined {
  return principal?.id;
}

function full(count: number): AccessError {
  return new AccessError("RATE_LIMITED", `${count} tasks are being worked on, which is the limit`, {
    retryAfterMs: 1_000,
  });
}

function isAnswers(value: unknown): value is InputResponses {
  return isJsonObject(value) && Object.values(value).every(isJsonObject);
}

function refuse(message: string): Refused {
  return { type: "refused", reason: "invalid_params", message };
}
