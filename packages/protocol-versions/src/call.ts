import { type Exchange, type JsonObject, LocalError, type RpcRequest } from "@parlance/jsonrpc";
import type { Call, Caller } from "./feature.js";
import { isJsonObject } from "./json-object.js";
import type { LogGate } from "./logging.js";
import type { InputResponses } from "./model/input.js";
import { isProgressToken, type ProgressToken } from "./model/progress.js";
import { createProgress } from "./progress.js";
import { wrongParam } from "./read.js";
import type { ProtocolVersion } from "./version.js";

/**
 * What an era knows of a call besides the request itself.
 */
export interface CallFacts {
  readonly version: ProtocolVersion;
  readonly caller: Caller;
  /** Whether progress may carry a message. */
  readonly progressMessages: boolean;
  /** `undefined`: nothing is logged. */
  readonly log: LogGate | undefined;
  readonly inputResponses?: InputResponses | undefined;
  readonly requestState?: string | undefined;
}

const lender: unique symbol = Symbol("exchange");
type Unsignalled = Omit<Call, "signal"> & { readonly [lender]: Exchange };

// One descriptor for all calls: a getter written in the literal costs ten times the rest of the call, and making the
// signal of every exchange costs more still.
const lentSignal: PropertyDescriptor & ThisType<Unsignalled> = {
  enumerable: true,
  configurable: true,
  get() {
    return this[lender].signal;
  },
};

const nothing: JsonObject = /* @__PURE__ */ Object.freeze({});
const settled: Promise<void> = /* @__PURE__ */ Promise.resolve();
const ignore = (): void => {};

/**
 * Makes the call that a feature is given. Progress and log go out on the exchange, when the caller asked for them;
 * neither rejects when the caller is gone, since `signal` says so. Of progress that a reader does not take only the latest is kept.
 * @throws RpcError −32602 for a progress token that is none
 */
export function createCall(request: RpcRequest, exchange: Exchange, facts: CallFacts): Call {
  const gate = facts.log;
  const params = request.params ?? nothing;
  const meta = isJsonObject(params["_meta"]) ? params["_meta"] : nothing;
  const progressToken = readProgressToken(meta["progressToken"]);
  // Most requests want none, and are spared what it takes
  const tell =
    progressToken === undefined ? undefined : createProgress(exchange, progressToken, facts.progressMessages);
  const call: Unsignalled = {
    [lender]: exchange,
    method: request.method,
    params,
    meta,
    version: facts.version,
    caller: facts.caller,
    principal: exchange.principal,
    inputResponses: facts.inputResponses,
    requestState: facts.requestState,
    header: exchange.header,
    release: exchange.release,
    elicit: cannotAsk,
    sample: cannotAsk,
    roots: cannotAsk,
    once: cannotAsk,
    progress: (done, total, message) => tell?.(done, total, message) ?? settled,
    log(level, data, logger) {
      const message = gate?.pass({ level, logger, data });
      return message === undefined ? settled : exchange.notify("notifications/message", message).catch(ignore);
    },
  };
  lendSignal(call);
  return call;
}

/**
 * What a call asks with where nothing brings questions.
 * @throws LocalError `UNSUPPORTED`
 * @stable
 */
export function cannotAsk(): never {
  throw new LocalError("UNSUPPORTED", "to ask the caller, put questions() among the features of the server");
}

function readProgressToken(value: unknown): ProgressToken | undefined {
  if (value === undefined || isProgressToken(value)) {
    return value;
  }
  throw wrongParam("progressToken", value, "a string or an integer");
}

function lendSignal(call: Unsignalled): asserts call is Unsignalled & Call {
  Object.defineProperty(call, "signal", lentSignal);
}

/**
 * The next round of a call: the same call with the answers to what it asked.
 */
export function nextRound(
  call: Call,
  inputResponses: InputResponses | undefined,
  requestState: string | undefined,
): Call {
  return changedCall(call, { inputResponses, requestState });
}

/**
 * A call with some members changed. What is lazy in it stays so.
 * @stable
 */
export function changedCall(call: Call, changes: Partial<Call>): Call {
  const changed: Call = Object.create(Object.prototype, Object.getOwnPropertyDescriptors(call));
  for (const [name, value] of Object.entries(changes)) {
    Object.defineProperty(changed, name, { value, enumerable: true, configurable: true, writable: true });
  }
  return changed;
}
