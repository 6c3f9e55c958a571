import type { Report } from "@parlance/jsonrpc";

/**
 * What goes wrong over HTTP and no promise tells; and what a connection of JSON-RPC tells. None of it names a session or a token.
 *
 * - `http_refused`: a request was refused before it reached the server
 * - `request_failed`: what the guard, a store or the like threw; the caller got 500
 * - `reader_stalled`: a reader took too long to read, and its stream was cut
 * @stable
 */
export type HttpReport =
  | { readonly kind: "http_refused"; readonly status: number; readonly reason: string }
  | { readonly kind: "request_failed"; readonly error: unknown }
  | { readonly kind: "reader_stalled"; readonly queued: number }
  | Report;
