import { AccessError, type JsonObject, LocalError, RpcError, rpcCodes } from "@parlance/jsonrpc";
import { longestTimerMs } from "@parlance/jsonrpc/timer";
import {
  type Call,
  capabilitiesFor,
  changedCall,
  missingCapabilities,
  type Outcome,
} from "@parlance/protocol-versions";
import { createAsking } from "@parlance/server";
import { isOver, type TaskError } from "../model.js";
import type { TaskRecord } from "../store.js";
import type { Ledger } from "./ledger.js";

/** The code of a caller that did not declare enough, in the era that has this extension. */
const missingCapabilityCode = -32021;

/** The work on one task, in this process. */
export interface Work {
  /** The call as the work has it: of the task, and of no connection. */
  call(from: Call): Call;
  /** Hears what the task has become, here or elsewhere. */
  saw(record: TaskRecord): void;
  /** Ends the work. */
  abort(reason: unknown): void;
  /** Takes what the work came to. */
  done(outcome: Outcome): Promise<void>;
  failed(error: TaskError): Promise<void>;
}

interface Question {
  readonly text: string;
  readonly answer: Promise<JsonObject>;
  resolve(answer: JsonObject): void;
  reject(reason: unknown): void;
}

/**
 * Begins the work on a task that was just opened.
 * @param ended hears that it is over
 */
export function beginWork(record: TaskRecord, ledger: Ledger, ended: () => void): Work {
  const { taskId, createdAt, ttlMs } = record;
  const aborting = new AbortController();
  const questions = new Map<string, Question>();
  const works = new Map<string, Promise<unknown>>();
  const unwatch = ledger.watch(taskId, saw);
  let timer = ttlMs === null ? undefined : startTimer(Date.parse(createdAt) + ttlMs);
  let isOpen = true;

  function startTimer(atMs: number): ReturnType<typeof setTimeout> {
    return setTimeout(
      () => {
        if (Date.now() < atMs) timer = startTimer(atMs);
        else void ledger.expire(record);
      },
      Math.min(Math.max(0, atMs - Date.now()), longestTimerMs),
    );
  }

  function finish(): void {
    isOpen = false;
    clearTimeout(timer);
    unwatch();
    ended();
  }

  function abort(reason: unknown): void {
    if (!isOpen) return;
    finish();
    for (const question of questions.values()) question.reject(reason);
    aborting.abort(reason);
  }

  function saw({ status, inputResponses = {} }: TaskRecord): void {
    for (const [key, answer] of Object.entries(inputResponses)) questions.get(key)?.resolve(answer);
    if (isOver(status)) abort(new LocalError("CLOSED", `the task is ${status}`));
  }

  /** A key is one question for the life of the task: asked again, it has the answer that it has. */
  async function answer(call: Call, key: string, method: string, params: JsonObject): Promise<JsonObject> {
    const text = JSON.stringify([method, params]);
    const before = questions.get(key);
    if (before?.text === text) return before.answer;
    if (before !== undefined) {
      throw new LocalError(
        "INVALID_ARGUMENT",
        `"${key}" names two questions of one task; each should have its own key`,
      );
    }
    const requests = { [key]: { method, params } };
    const lacking = missingCapabilities(capabilitiesFor(requests), call.caller.capabilities);
    if (lacking !== undefined) {
      const names = Object.keys(lacking).join(", ");
      throw new RpcError(missingCapabilityCode, `the task needs to ask its caller, which did not declare ${names}`, {
        data: { requiredCapabilities: lacking },
      });
    }
    const question = createQuestion(text);
    questions.set(key, question);
    aborting.signal.throwIfAborted();
    await ledger.change(taskId, ({ inputRequests }) => ({
      status: "input_required",
      inputRequests: { ...inputRequests, ...requests },
    }));
    return question.answer;
  }

  async function once<T>(key: string, run: () => T | Promise<T>): Promise<T> {
    const running = works.get(key) ?? (async () => run())();
    works.set(key, running);
    // what is kept under a key is what its work gave
    return (await running) as T;
  }

  /** Progress is not sent for a task: its status says how far it is. */
  async function progress(done: number, total?: number, message?: string): Promise<void> {
    const statusMessage = message ?? (total === undefined ? String(done) : `${done} of ${total}`);
    await ledger.change(taskId, (before) => (before.statusMessage === statusMessage ? undefined : { statusMessage }));
  }

  async function settle(error: TaskError | undefined, result: JsonObject = {}): Promise<void> {
    // what ended otherwise has ended
    if (!isOpen) return;
    finish();
    if (error === undefined) await ledger.complete(taskId, result);
    else await ledger.fail(taskId, error);
  }

  return {
    call: (from) =>
      changedCall(from, {
        ...createAsking({
          answer: (key, method, params) => answer(from, key, method, params),
          wait: async (done) => void (await done(aborting.signal)),
        }),
        once,
        signal: aborting.signal,
        progress,
        log: silent,
        release: undefined,
      }),
    saw,
    abort,
    done: (outcome) => (outcome.type === "complete" ? settle(undefined, outcome.result) : settle(errorOf(outcome))),
    failed: settle,
  };
}

function createQuestion(text: string): Question {
  let resolve: Question["resolve"] = () => {};
  let reject: Question["reject"] = () => {};
  const answer = new Promise<JsonObject>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  // whoever asked may be gone
  answer.catch(() => {});
  return { text, answer, resolve, reject };
}

/** What went wrong, as an error that may travel; `undefined` for what must not. */
export function publicError(error: unknown): TaskError | undefined {
  if (error instanceof RpcError) return error.toJSON();
  return error instanceof AccessError ? { code: rpcCodes.internalError, message: error.message } : undefined;
}

function errorOf(outcome: Exclude<Outcome, { readonly type: "complete" }>): TaskError {
  if (outcome.type !== "refused") {
    return { code: rpcCodes.internalError, message: `a task cannot answer ${outcome.type}` };
  }
  const { reason, message, data } = outcome;
  const code = reason === "needs_capability" ? missingCapabilityCode : rpcCodes.invalidParams;
  return data === undefined ? { code, message } : { code, message, data };
}

async function silent(): Promise<void> {}
