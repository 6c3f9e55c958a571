import type { RequestId } from "@parlance/jsonrpc";

/**
 * What goes wrong over HTTP and no promise tells.
 * @stable
 */
export type HttpReport =
  /** A request was refused before it reached the server. */
  | { readonly kind: "http_refused"; readonly status: number; readonly reason: string }
  /** The handler failed on a request. */
  | { readonly kind: "handler_failed"; readonly method: string; readonly id: RequestId; readonly error: unknown }
  /** A reader took too long to read, and its stream was cut. */
  | { readonly kind: "reader_stalled"; readonly queued: number };
