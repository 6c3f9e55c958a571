import { travels } from "./brand.js";
import { encodeError, encodeResult } from "./codec.js";
import { rpcCodes } from "./error.js";
import { type Connection, type Exchange, type Handler, type Result, serializedText, unanswered } from "./handler.js";
import type { RpcNotification, RpcRequest } from "./message.js";
import type { Report } from "./report.js";

/**
 * Has the handler answer a request and hands the text of the answer to `done`, or nothing when there is to be none: in this
 * turn if the handler answers in it. `done` also gets what the handler threw, for a transport that has more to say of an
 * error than its text. Nothing is thrown.
 * @stable
 */
export function respond(
  handler: Handler,
  message: RpcRequest,
  exchange: Exchange,
  report: (report: Report) => void,
  done: (text: string | undefined, error?: unknown) => void,
): void {
  const succeed = (value: Result): void => done(success(message, value, report));
  const fail = (error: unknown): void => done(failure(message, error, report, exchange), error);
  let result: Result | Promise<Result>;
  try {
    result = handler.request(message, exchange);
    if (isPromise(result)) {
      result.then(succeed, fail);
      return;
    }
  } catch (error) {
    fail(error);
    return;
  }
  succeed(result);
}

/**
 * Has the handler hear a notification. Nothing is thrown.
 * @stable
 */
export function hear(
  handler: Handler,
  message: RpcNotification,
  connection: Connection,
  report: (report: Report) => void,
): void {
  const fail = (error: unknown): void => report({ kind: "handler_failed", method: message.method, error });
  try {
    // an async function fits a handler that returns nothing
    const returned: unknown = handler.notification?.(message, connection);
    if (isPromise(returned)) returned.then(undefined, fail);
  } catch (error) {
    fail(error);
  }
}

/**
 * Tells a promise by its `then`: it may come from another realm or library.
 * @stable
 */
export function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

function success(message: RpcRequest, result: Result, report: (report: Report) => void): string | undefined {
  if (isUnanswered(result)) {
    report({ kind: "unanswered_request", id: message.id, method: message.method });
    return undefined;
  }
  try {
    return encodeResult(message.id, result);
  } catch (error) {
    return failure(message, error, report);
  }
}

function failure(
  { id, method }: RpcRequest,
  error: unknown,
  report: (report: Report) => void,
  exchange?: Exchange | undefined,
): string {
  let fault = error;
  if (travels(error)) {
    try {
      const told = error.toJSON();
      // a code that is no integer is no code
      return encodeError(id, Number.isInteger(told.code) ? told : { ...told, code: rpcCodes.internalError });
    } catch (unencodable) {
      fault = unencodable;
    }
  }
  // to stop because of the signal is what it is for; it is made when it is looked at, so not before
  if (exchange === undefined || fault !== exchange.signal.reason) {
    report({ kind: "handler_failed", id, method, error: fault });
  }
  return encodeError(id, { code: rpcCodes.internalError, message: "Internal error" });
}

/** Told by its text: it may come from another copy of this package. */
function isUnanswered(result: Partial<typeof unanswered> | undefined): boolean {
  return result?.[serializedText] === unanswered[serializedText];
}
