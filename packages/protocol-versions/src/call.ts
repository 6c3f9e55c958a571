import { type JsonObject, LocalError } from "@parlance/jsonrpc";
import type { Call, Caller } from "./feature.js";
import { isJsonObject } from "./json-object.js";
import { isProgressToken } from "./model/progress.js";
import { createProgress } from "./progress.js";
import { wrongParam } from "./read.js";
import { type Served, served } from "./served.js";
import type { ProtocolVersion } from "./version.js";

type Unsignalled = Omit<Call, "signal"> & { readonly [served]: Served };

// One descriptor for all calls: a getter written in the literal costs ten times the rest of the call, and making the
// signal of every exchange costs more still.
const lentSignal: PropertyDescriptor & ThisType<Unsignalled> = {
  enumerable: true,
  configurable: true,
  get() {
    return this[served].exchange.signal;
  },
};

const nothing: JsonObject = {};
const silent = async (): Promise<void> => {};

/**
 * Makes the call that a feature is given. Progress goes out on the exchange, when the caller asked for it; it does not
 * reject when the caller is gone, since `signal` says so. Of progress that a reader does not take only the latest is kept.
 * @throws RpcError −32602 for a progress token that is none
 */
export function createCall(within: Served, version: ProtocolVersion, caller: Caller): Call {
  const { request, exchange, session } = within;
  const params = request.params ?? nothing;
  const meta = isJsonObject(params["_meta"]) ? params["_meta"] : nothing;
  const { progressToken } = meta;
  if (progressToken !== undefined && !isProgressToken(progressToken)) {
    throw wrongParam("progressToken", progressToken, "a string or an integer");
  }
  const call: Unsignalled = {
    [served]: within,
    method: request.method,
    params,
    meta,
    version,
    caller,
    principal: exchange.principal,
    header: exchange.header,
    release: exchange.release,
    elicit: cannotAsk,
    sample: cannotAsk,
    roots: cannotAsk,
    once: cannotAsk,
    // most requests want none, and are spared what it takes
    progress: progressToken === undefined ? silent : createProgress(exchange, progressToken, session?.downgrade),
    log: silent,
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

function lendSignal(call: Unsignalled): asserts call is Unsignalled & Call {
  Object.defineProperty(call, "signal", lentSignal);
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
