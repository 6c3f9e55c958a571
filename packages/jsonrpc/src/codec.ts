import { LocalError, rpcCodes } from "./error.js";
import { excerpt } from "./excerpt.js";
import { type Result, type Serialized, serializedText } from "./handler.js";
import type { JsonObject, RequestId, RpcErrorObject, RpcNotification, RpcRequest, RpcResponse } from "./message.js";

export { excerpt } from "./excerpt.js";

/**
 * What one message turned out to be. Objects are the parsed ones: nothing is copied, and unknown members stay.
 * @stable
 */
export type Classified =
  | { readonly kind: "request"; readonly message: RpcRequest }
  | { readonly kind: "notification"; readonly message: RpcNotification }
  | { readonly kind: "response"; readonly message: RpcResponse }
  | Malformed;

/**
 * What one frame turned out to be. Where batches are not allowed, `classify(items)` says so.
 * @stable
 */
export type Incoming = Classified | { readonly kind: "batch"; readonly items: readonly unknown[] };

/**
 * What is no valid message, with the error that says why.
 * @stable
 */
export interface Malformed {
  readonly kind: "malformed";
  /** What it was meant to be, judged by its members. Only what may be a request is ever answered. */
  readonly meant: "request" | "notification" | "response" | "unknown";
  /** Absent when it could not be read. */
  readonly id: RequestId | undefined;
  readonly error: RpcErrorObject;
}

/**
 * Reads one frame. Nothing is thrown.
 * @stable
 */
export function parse(text: string): Incoming {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return malformed("unknown", undefined, { code: rpcCodes.parseError, message: "the frame is not valid JSON" });
  }
  return Array.isArray(value) ? { kind: "batch", items: value } : classify(value);
}

/**
 * Tells by its members what a parsed message is: with a method a request or a notification, otherwise a response.
 * @see JSON-RPC 2.0, sections 4 and 5
 * @stable
 */
export function classify(value: unknown): Classified {
  const { jsonrpc, id, method, params, result, error } = Object(value) as JsonObject;
  if (method !== undefined) {
    const kind = id === undefined && typeof method === "string" ? "notification" : "request";
    let fault: RpcErrorObject | undefined;
    if (typeof method !== "string") fault = must("method", "a string", method);
    else if (kind === "request" && !isId(id)) fault = must("id", "a string or an integer", id);
    else if (jsonrpc !== "2.0") fault = must("jsonrpc", '"2.0"', jsonrpc);
    else if (params !== undefined && !isObject(params)) {
      fault = must("params", "an object", params, rpcCodes.invalidParams);
    }
    return fault ? malformed(kind, id, fault) : { kind, message: value as RpcRequest };
  }
  // some peers write the other member too, as null
  const isResult = isObject(result) && (error === undefined || error === null) && isId(id);
  const isError = isErrorObject(error) && (result === undefined || result === null);
  if (jsonrpc === "2.0" && isResult) return { kind: "response", message: value as RpcResponse };
  if (jsonrpc === "2.0" && isError) return { kind: "response", message: { jsonrpc, id: readableId(id), error } };
  const isResponse = result !== undefined || error !== undefined;
  const fault = must("a message", 'jsonrpc "2.0" with a method, a result that is an object, or an error', value);
  // the lines of a log have ids too
  return malformed(isResponse ? "response" : "unknown", isResponse || jsonrpc === "2.0" ? id : undefined, fault);
}

function must(what: string, be: string, value: unknown, code: number = rpcCodes.invalidRequest): RpcErrorObject {
  return { code, message: `${what} must be ${be}, not ${excerpt(value)}` };
}

function malformed(meant: Malformed["meant"], id: unknown, error: RpcErrorObject): Malformed {
  return { kind: "malformed", meant, id: readableId(id), error };
}

/**
 * What a server answers: nothing to what cannot be a request.
 * @stable
 */
export function refusal({ meant, id, error }: Malformed): string | undefined {
  return meant === "request" || meant === "unknown" ? encodeError(id, error) : undefined;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A number beyond the safe integers cannot be repeated as it came. */
function isId(value: unknown): value is RequestId {
  return typeof value === "string" || Number.isSafeInteger(value);
}

function isErrorObject(value: unknown): value is RpcErrorObject {
  const { code, message } = Object(value) as JsonObject;
  return Number.isInteger(code) && typeof message === "string";
}

function readableId(value: unknown): RequestId | undefined {
  return isId(value) ? value : undefined;
}

/**
 * Serializes a result that does not change once.
 * @throws LocalError `INVALID_ARGUMENT` when it is no JSON object; TypeError for what JSON cannot hold
 * @stable
 */
export function serialized(result: JsonObject): Serialized {
  return { [serializedText]: textOf(result) };
}

/**
 * The text of a request, or without an id of a notification.
 * @throws LocalError `INVALID_ARGUMENT` when the params are no JSON object; TypeError for what JSON cannot hold
 * @stable
 */
export function encodeMessage(id: RequestId | undefined, method: string, params: JsonObject): string {
  return envelope(id, `"method":${JSON.stringify(method)},"params"`, params);
}

/**
 * The text of the answer to a request that succeeded.
 * @throws LocalError `INVALID_ARGUMENT` when the result is no JSON object; TypeError for what JSON cannot hold
 * @stable
 */
export function encodeResult(id: RequestId, result: Result): string {
  return envelope(id, '"result"', result);
}

/**
 * The text of the answer to a request that failed. The id is left out when it could not be read.
 * @throws TypeError when its data is what JSON cannot hold
 * @stable
 */
export function encodeError(id: RequestId | undefined, error: RpcErrorObject): string {
  return envelope(id, '"error"', error);
}

function envelope(id: RequestId | undefined, last: string, value: Result): string {
  // most ids are numbers, and writing one by hand saves a tenth of the encoding
  const named = id === undefined ? "" : `"id":${typeof id === "number" ? id : JSON.stringify(id)},`;
  return `{"jsonrpc":"2.0",${named}${last}:${textOf(value)}}`;
}

/** Looks at the text and not at the value: that also tells arrays, and whatever a `toJSON` made of it. */
function textOf(value: Result): string {
  const known = (value as Partial<Serialized> | undefined)?.[serializedText];
  if (known !== undefined) return known;
  const text: string | undefined = JSON.stringify(value);
  if (text?.startsWith("{")) return text;
  throw new LocalError("INVALID_ARGUMENT", `params and results must be JSON objects, not ${excerpt(value)}`);
}
