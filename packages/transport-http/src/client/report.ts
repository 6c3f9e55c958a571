import type { Report } from "@parlance/jsonrpc";

/**
 * What goes wrong over HTTP on the client's side and no promise tells. None of it names a session or a token.
 *
 * - `stream_refused`: the server does not give the stream for what belongs to no request (405 apart, which is usual)
 * - `stream_broken`: that stream ended or could not be opened; it is opened again after `retryMs`
 * - `tool_left_out`: an entry of a tool list that cannot be called over HTTP, and why
 * - `session_not_ended`: the server was told that the session ends, and refused
 * @stable
 */
export type HttpClientReport =
  | { readonly kind: "stream_refused"; readonly error: unknown }
  | { readonly kind: "stream_broken"; readonly error: unknown; readonly retryMs: number }
  | { readonly kind: "tool_left_out"; readonly reason: string; readonly tool: unknown }
  | { readonly kind: "session_not_ended"; readonly error: unknown }
  | Report;
