import type { Report } from "@parlance/jsonrpc";
import type { EraName, ListenFilter } from "@parlance/protocol-versions";

/**
 * Something that a client noticed and that no promise tells.
 *
 * - `tool_left_out`: an entry of a tool list that is no tool, or that this connection cannot call, and why
 * - `entry_left_out`: an entry of another list that is none, and why
 * - `stray_progress`: progress under a token that was never given out
 * - `callback_failed`: a callback of the caller's threw
 * - `server_lost`: the server ended
 * - `server_restarted`: it was started again, after so many tries
 * - `verdict_wrong`: what was remembered of the server turned out wrong
 * - `listen_not_honored`: what of a filter the server does not have
 * - `listen_lost`: a listening came to an end that nobody wanted; it is listened anew after `retryMs`
 * - `listen_ended`: and now it is not
 * - `stray_change`: a change for a subscription, or its end, that there is not, or not yet; it was dropped
 * - `ping_missed`: a ping of `keepAlive` was not answered, and how many in a row that makes
 *
 * And what is the matter with the connection: see `Report` of `@parlance/jsonrpc`. `malformed`, for one, is what a server
 * printed among its messages.
 * @stable
 */
export type ClientReport =
  | Report
  | { readonly kind: "entry_left_out"; readonly method: string; readonly reason: string; readonly entry: unknown }
  | { readonly kind: "stray_progress"; readonly token: unknown }
  | { readonly kind: "callback_failed"; readonly error: unknown }
  | { readonly kind: "server_lost"; readonly reason: unknown }
  | { readonly kind: "server_restarted"; readonly tries: number }
  | { readonly kind: "verdict_wrong"; readonly era: EraName; readonly version: string }
  | { readonly kind: "listen_not_honored"; readonly missing: ListenFilter }
  | { readonly kind: "listen_lost"; readonly cause: unknown; readonly retryMs: number }
  | { readonly kind: "listen_ended"; readonly error: unknown }
  | { readonly kind: "stray_change"; readonly subscriptionId: unknown }
  | { readonly kind: "ping_missed"; readonly error: unknown; readonly missed: number };
