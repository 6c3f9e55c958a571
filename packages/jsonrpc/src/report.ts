import type { LocalError } from "./error.js";
import type { RequestId, RpcErrorObject, RpcNotification, RpcResponse } from "./message.js";

/**
 * Something that went wrong and that no promise tells: for a log, and for a test.
 *
 * - `malformed`: a frame, or a part of a batch, is no valid message; `error` says why
 * - `frame_lost`: the transport could not deliver a frame
 * - `stray_response`: a response to nothing that waits: never asked, answered before, given up, or an error without id while
 *   not exactly one request waits
 * - `duplicate_request`: a request with the id of one that still runs; it was refused
 * - `unanswered_request`: a request that the handler left without an answer
 * - `handler_failed`: the handler threw what is no answer, or answered what is no result; `id` is absent for a notification
 * - `send_failed`: an answer or a cancellation could not be sent
 * - `close_failed`: the transport could not be closed
 *
 * And what only a carrier notices that is no pipe:
 *
 * - `stream_refused`: the server does not give the stream for what belongs to no request (405 apart, which is usual)
 * - `stream_broken`: that stream ended or could not be opened; it is opened again after `retryMs`
 * - `stray_notification`: on the stream of one request came what belongs to another; it was dropped
 * - `tool_left_out`: an entry of a tool list that cannot be called over this carrier, and why
 * - `session_not_ended`: the server was told that the session ends, and refused
 * - `session_replaced`: the server had forgotten the session, and another was opened in its place
 * - `not_restored`: what was asked for in the old session could not be asked for again in the new one
 * @stable
 */
export type Report =
  | { readonly kind: "malformed"; readonly error: RpcErrorObject; readonly text: string }
  | { readonly kind: "frame_lost"; readonly error: LocalError }
  | { readonly kind: "stray_response"; readonly response: RpcResponse }
  | { readonly kind: "duplicate_request" | "unanswered_request"; readonly id: RequestId; readonly method: string }
  | {
      readonly kind: "handler_failed";
      readonly id?: RequestId | undefined;
      readonly method: string;
      readonly error: unknown;
    }
  | {
      readonly kind: "send_failed" | "close_failed" | "stream_refused" | "session_not_ended";
      readonly error: unknown;
    }
  | { readonly kind: "stream_broken"; readonly error: unknown; readonly retryMs: number }
  | { readonly kind: "stray_notification"; readonly id: RequestId; readonly notification: RpcNotification }
  | { readonly kind: "session_replaced"; readonly version: string; readonly cause: unknown }
  | { readonly kind: "not_restored"; readonly method: string; readonly error: unknown }
  | { readonly kind: "tool_left_out"; readonly reason: string; readonly tool: unknown };
