import { encodeError, encodeResult } from "./codec.js";
import { AccessError, RpcError, rpcCodes } from "./error.js";
import type { Connection, Exchange, Handler, Result } from "./handler.js";
import type { RpcErrorObject, RpcNotification, RpcRequest } from "./message.js";
import type { Report } from "./report.js";

/** Hears what the handler threw and the caller is not told. */
export type ReportTo = (report: Report) => void;

/**
 * Has the handler answer a request and hands the text of the answer to `done`: in this turn if the handler answers in it.
 * Nothing is thrown.
 */
export function respond(
  handler: Handler,
  message: RpcRequest,
  exchange: Exchange,
  report: ReportTo,
  done: (text: string) => void,
): void {
  let result: Result | Promise<Result>;
  try {
    result = handler.request(message, exchange);
  } catch (error) {
    done(failure(message, error, report));
    return;
  }
  if (!isPromise(result)) {
    done(success(message, result, report));
    return;
  }
  result.then(
    (value) => done(success(message, value, report)),
    (error: unknown) => done(failure(message, error, report)),
  );
}

/** Has the handler hear a notification. Nothing is thrown. */
export function hear(handler: Handler, message: RpcNotification, connection: Connection, report: ReportTo): void {
  const failed = (error: unknown): void => report({ kind: "handler_failed", method: message.method, error });
  try {
    // an async function fits a handler that returns nothing
    const returned: unknown = handler.notification?.(message, connection);
    if (isPromise(returned)) returned.then(undefined, failed);
  } catch (error) {
    failed(error);
  }
}

/** A promise is told by its `then`: it may come from another realm or library. */
export function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

function success(message: RpcRequest, result: Result, report: ReportTo): string {
  try {
    return encodeResult(message.id, result);
  } catch (error) {
    return failure(message, error, report);
  }
}

function failure(message: RpcRequest, error: unknown, report: ReportTo): string {
  if (error instanceof RpcError || error instanceof AccessError) {
    try {
      return encodeError(message.id, wireError(error));
    } catch (unencodable) {
      return failure(message, unencodable, report);
    }
  }
  report({ kind: "handler_failed", id: message.id, method: message.method, error });
  return encodeError(message.id, { code: rpcCodes.internalError, message: "Internal error" });
}

/** What may be told of an error; a code that is no integer is no code. */
function wireError(error: RpcError | AccessError): RpcErrorObject {
  const { code, message, data } = error.toJSON();
  return { code: Number.isInteger(code) ? code : rpcCodes.internalError, message, data };
}
