import { LocalError, rpcCodes } from "./error.js";
import { type Result, type Serialized, serializedText } from "./handler.js";
import type { JsonObject, RequestId, RpcErrorObject, RpcNotification, RpcRequest, RpcResponse } from "./message.js";

/** What a frame turned out to be. Objects are the parsed ones: nothing is copied and unknown members stay. */
export type Incoming =
  | { readonly kind: "request"; readonly message: RpcRequest }
  | { readonly kind: "notification"; readonly message: RpcNotification }
  | { readonly kind: "response"; readonly message: RpcResponse }
  | { readonly kind: "batch"; readonly items: readonly unknown[] }
  | Malformed;

/** What is no valid message, with the error that says why. */
export interface Malformed {
  readonly kind: "malformed";
  /** What it was meant to be, judged by its members: only what may be a request is ever answered. */
  readonly meant: "request" | "notification" | "response" | "unknown";
  /** Absent when it could not be read. */
  readonly id?: RequestId | undefined;
  readonly error: RpcErrorObject;
}

/** Reads one frame. */
export function parse(text: string): Incoming {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return malformed("unknown", undefined, "the frame is not valid JSON", rpcCodes.parseError);
  }
  return Array.isArray(value) ? { kind: "batch", items: value } : classify(value);
}

/**
 * Tells by its members what a parsed message is: with a method a request or a notification, otherwise a response.
 * @see JSON-RPC 2.0, sections 4 and 5
 */
export function classify(value: unknown): Exclude<Incoming, { kind: "batch" }> {
  if (!isObject(value)) return malformed("unknown", undefined, `a message must be an object, not ${show(value)}`);
  const { jsonrpc, id, method, params } = value;
  if (method === undefined) return classifyResponse(value);
  if (typeof method !== "string") return malformed("unknown", id, `method must be a string, not ${show(method)}`);
  const meant = id === undefined ? "notification" : "request";
  if (id !== undefined && !isId(id)) return malformed(meant, id, `id must be a string or an integer, not ${show(id)}`);
  if (jsonrpc !== "2.0") return malformed(meant, id, wrongVersion(jsonrpc));
  if (params !== undefined && !isObject(params)) {
    const message = `params must be an object, not ${show(params)}`;
    return malformed(meant, id, message, rpcCodes.invalidParams);
  }
  return id === undefined
    ? { kind: "notification", message: value as RpcNotification }
    : { kind: "request", message: value as RpcRequest };
}

function classifyResponse(value: JsonObject): Exclude<Incoming, { kind: "batch" }> {
  const { jsonrpc, id, result, error } = value;
  // some peers write `"error":null` beside a result, and the reverse
  const failed = error !== undefined && error !== null;
  const succeeded = result !== undefined && result !== null;
  if (!failed && !succeeded) {
    const meant = result === undefined && error === undefined ? "unknown" : "response";
    return malformed(meant, id, "a message must have a method, a result or an error");
  }
  if (jsonrpc !== "2.0") return malformed("response", id, wrongVersion(jsonrpc));
  if (failed && succeeded) return malformed("response", id, "a response must not have both a result and an error");
  if (failed) {
    if (isErrorObject(error)) {
      return { kind: "response", message: { jsonrpc, id: isId(id) ? id : undefined, error } };
    }
    return malformed("response", id, `an error must have an integer code and a string message, not ${show(error)}`);
  }
  if (!isObject(result)) return malformed("response", id, `a result must be an object, not ${show(result)}`);
  if (!isId(id)) return malformed("response", id, `id must be a string or an integer, not ${show(id)}`);
  return { kind: "response", message: value as RpcResponse };
}

function malformed(
  meant: Malformed["meant"],
  id: unknown,
  message: string,
  code: number = rpcCodes.invalidRequest,
): Malformed {
  return { kind: "malformed", meant, id: isId(id) ? id : undefined, error: { code, message } };
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A number beyond the safe integers cannot be repeated as it came. */
function isId(value: unknown): value is RequestId {
  return typeof value === "string" || Number.isSafeInteger(value);
}

function isErrorObject(value: unknown): value is RpcErrorObject {
  if (!isObject(value)) return false;
  const { code, message } = value;
  return Number.isInteger(code) && typeof message === "string";
}

function wrongVersion(jsonrpc: unknown): string {
  return `jsonrpc must be "2.0", not ${show(jsonrpc)}`;
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/**
 * Marks text as a result that is already JSON, so that a result that does not change is serialized once.
 * @param text one JSON object, without line breaks
 * @throws LocalError `INVALID_ARGUMENT`
 * @stable
 */
export function serialized(text: string): Serialized {
  if (!isObjectText(text) || text.includes("\n")) {
    throw new LocalError("INVALID_ARGUMENT", "a serialized result must be one JSON object without line breaks");
  }
  return { [serializedText]: text };
}

/** @throws LocalError `INVALID_ARGUMENT` when the params are no JSON object */
export function encodeRequest(id: RequestId, method: string, params: JsonObject): string {
  return `{"jsonrpc":"2.0","id":${encodeId(id)},"method":${JSON.stringify(method)},"params":${encodeObject("params", params)}}`;
}

/** @throws LocalError `INVALID_ARGUMENT` when the params are no JSON object */
export function encodeNotification(method: string, params: JsonObject): string {
  return `{"jsonrpc":"2.0","method":${JSON.stringify(method)},"params":${encodeObject("params", params)}}`;
}

/** @throws LocalError `INVALID_ARGUMENT` when the result is no JSON object */
export function encodeResult(id: RequestId, result: Result): string {
  const text = (result as Partial<Serialized> | undefined)?.[serializedText] ?? encodeObject("a result", result);
  return `{"jsonrpc":"2.0","id":${encodeId(id)},"result":${text}}`;
}

/** The id is left out when it could not be read. */
export function encodeError(id: RequestId | undefined, error: RpcErrorObject): string {
  const text = encodeObject("an error", error);
  return id === undefined
    ? `{"jsonrpc":"2.0","error":${text}}`
    : `{"jsonrpc":"2.0","id":${encodeId(id)},"error":${text}}`;
}

function encodeId(id: RequestId): string {
  return typeof id === "number" ? String(id) : JSON.stringify(id);
}

/** Looks at the text and not at the value: that also tells arrays, and whatever a `toJSON` made of it. */
function encodeObject(what: string, value: unknown): string {
  let text: string | undefined;
  let cause: unknown;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    cause = error;
  }
  if (text !== undefined && isObjectText(text)) return text;
  throw new LocalError("INVALID_ARGUMENT", `${what} must be a JSON object, not ${cause ?? text}`, { cause });
}

function isObjectText(text: string): boolean {
  return text.charCodeAt(0) === 0x7b;
}
