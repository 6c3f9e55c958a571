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
 * What one frame turned out to be.
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
    return malformed("unknown", undefined, "the frame is not valid JSON", rpcCodes.parseError);
  }
  return Array.isArray(value) ? { kind: "batch", items: value } : classify(value);
}

/**
 * Tells by its members what a parsed message is: with a method a request or a notification, otherwise a response.
 * @see JSON-RPC 2.0, sections 4 and 5
 * @stable
 */
export function classify(value: unknown): Classified {
  if (!isObject(value)) return malformed("unknown", undefined, must("a message", "an object", value));
  const { jsonrpc, id, method, params } = value;
  if (method === undefined) return classifyResponse(value);
  const isNotification = id === undefined && typeof method === "string";
  const meant = isNotification ? "notification" : "request";
  if (typeof method !== "string") return malformed(meant, id, must("method", "a string", method));
  if (!isNotification && !isId(id)) return malformed(meant, id, must("id", "a string or an integer", id));
  if (jsonrpc !== "2.0") return malformed(meant, id, must("jsonrpc", '"2.0"', jsonrpc));
  if (params !== undefined && !isObject(params)) {
    return malformed(meant, id, must("params", "an object", params), rpcCodes.invalidParams);
  }
  return isNotification
    ? { kind: "notification", message: value as RpcNotification }
    : { kind: "request", message: value as RpcRequest };
}

function classifyResponse(value: JsonObject): Classified {
  const { jsonrpc, id, result, error } = value;
  if (result === undefined && error === undefined) {
    // the lines of a log have ids too
    const meantId = jsonrpc === "2.0" ? id : undefined;
    return malformed("unknown", meantId, "a message must have a method, a result or an error");
  }
  if (jsonrpc !== "2.0") return malformed("response", id, must("jsonrpc", '"2.0"', jsonrpc));
  // some peers write the other member too, as null
  if (error === undefined || (error === null && isObject(result))) {
    if (!isObject(result)) return malformed("response", id, must("a result", "an object", result));
    if (!isId(id)) return malformed("response", id, must("id", "a string or an integer", id));
    return { kind: "response", message: value as RpcResponse };
  }
  if (result !== undefined && result !== null) {
    return malformed("response", id, "a response must not have both a result and an error");
  }
  if (isErrorObject(error)) return { kind: "response", message: { jsonrpc, id: readableId(id), error } };
  return malformed("response", id, must("an error", "an object with an integer code and a string message", error));
}

function malformed(
  meant: Malformed["meant"],
  id: unknown,
  message: string,
  code: number = rpcCodes.invalidRequest,
): Malformed {
  return { kind: "malformed", meant, id: readableId(id), error: { code, message } };
}

/**
 * A batch that is refused as a whole.
 * @stable
 */
export function malformedBatch(message: string): Malformed {
  return malformed("unknown", undefined, message);
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

function readableId(value: unknown): RequestId | undefined {
  return isId(value) ? value : undefined;
}

function isErrorObject(value: unknown): value is RpcErrorObject {
  if (!isObject(value)) return false;
  const { code, message } = value;
  return Number.isInteger(code) && typeof message === "string";
}

function must(what: string, be: string, value: unknown): string {
  return `${what} must be ${be}, not ${excerpt(value)}`;
}

/**
 * Marks text as a result that is already JSON, so that a result that does not change is serialized once.
 * @param text one JSON object, without line breaks
 * @throws LocalError `INVALID_ARGUMENT`
 * @stable
 */
export function serialized(text: string): Serialized {
  if (isObjectText(text) && !text.includes("\n")) return { [serializedText]: text };
  throw new LocalError("INVALID_ARGUMENT", "a serialized result must be one JSON object without line breaks");
}

/**
 * The text of a request, or without an id of a notification.
 * @throws LocalError `INVALID_ARGUMENT` when the params are no JSON object
 * @stable
 */
export function encodeMessage(id: RequestId | undefined, method: string, params: JsonObject): string {
  return envelope(id, `"method":${JSON.stringify(method)},"params":${textOf("params", params)}`);
}

/**
 * The text of the answer to a request that succeeded.
 * @throws LocalError `INVALID_ARGUMENT` when the result is no JSON object
 * @stable
 */
export function encodeResult(id: RequestId, result: Result): string {
  return envelope(id, `"result":${textOf("a result", result)}`);
}

/**
 * The text of the answer to a request that failed. The id is left out when it could not be read.
 * @throws LocalError `INVALID_ARGUMENT` when its data is no JSON
 * @stable
 */
export function encodeError(id: RequestId | undefined, error: RpcErrorObject): string {
  return envelope(id, `"error":${objectText("an error", error)}`);
}

function envelope(id: RequestId | undefined, members: string): string {
  if (id === undefined) return `{"jsonrpc":"2.0",${members}}`;
  // most ids are numbers, and writing one by hand saves a tenth of the encoding
  return `{"jsonrpc":"2.0","id":${typeof id === "number" ? id : JSON.stringify(id)},${members}}`;
}

function textOf(what: string, value: Result): string {
  return (value as Partial<Serialized> | undefined)?.[serializedText] ?? objectText(what, value);
}

/** Looks at the text and not at the value: that also tells arrays, and whatever a `toJSON` made of it. */
function objectText(what: string, value: unknown): string {
  let cause: unknown;
  let fault = "";
  try {
    const text = JSON.stringify(value);
    if (isObjectText(text)) return text;
  } catch (error) {
    cause = error;
    fault = `; ${lastMember(value)} is none: ${error instanceof Error ? error.message : String(error)}`;
  }
  throw new LocalError("INVALID_ARGUMENT", `${what} must be a JSON object${fault}`, { cause });
}

/** The member at which a value cannot be serialized any further. */
function lastMember(value: unknown): string {
  let last = "";
  try {
    JSON.stringify(value, (name, member: unknown) => {
      last = name;
      return member;
    });
  } catch {
    // this is where it stopped
  }
  return JSON.stringify(last);
}

/** Of something that was serialized: what has no JSON is `undefined`. */
function isObjectText(text: string | undefined): text is string {
  return text?.charCodeAt(0) === 0x7b;
}
