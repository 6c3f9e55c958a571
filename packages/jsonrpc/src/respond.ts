import { travels } from "./brand.js";
import { encodeError, encodeResult } from "./codec.js";
import { rpcCodes } from "./error.js";
import {
  type Connection,
  type Exchange,
  type Handler,
  type Result,
  type Serialized,
  serializedText,
} from "./handler.js";
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
  const { id, method } = message;
  const fail = (error: unknown): void => {
    let fault = error;
    let text: string | undefined;
    try {
      if (travels(error)) text = encodeError(id, error.toJSON());
    } catch (unencodable) {
      fault = unencodable;
    }
    // to stop because of the signal is what it is for; it is made when it is looked at, so not before
    if (text === undefined && fault !== exchange.signal.reason) {
      report({ kind: "handler_failed", id, method, error: fault });
    }
    done(text ?? encodeError(id, { code: rpcCodes.internalError, message: "Internal error" }), error);
  };
  const succeed = (result: Partial<Serialized>): void => {
    let text: string | undefined;
    try {
      // `unanswered` is told by its text: it may come from another copy of this package
      if (result?.[serializedText] === "") report({ kind: "unanswered_request", id, method });
      else text = encodeResult(id, result);
    } catch (error) {
      fail(error);
      return;
    }
    done(text);
  };
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
  alone(
    () => handler.notification?.(message, connection),
    (error) => report({ kind: "handler_failed", method: message.method, error }),
  );
}

/**
 * Calls back, at once. What the function throws, or rejects with if it is an async one, goes to `failed` and no further.
 * @param failed default: nobody is told
 * @stable
 */
export function alone(callback: () => unknown, failed: (error: unknown) => void = ignore): void {
  try {
    const returned = callback();
    if (isPromise(returned)) returned.then(undefined, failed);
  } catch (error) {
    failed(error);
  }
}

function ignore(): void {}

/**
 * Tells a promise by its `then`: it may come from another realm or library.
 * @stable
 */
export function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof (value as Partial<Promise<T>> | null | undefined)?.then === "function";
}
