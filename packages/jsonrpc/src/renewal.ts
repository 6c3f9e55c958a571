import type { LocalError } from "./error.js";
import type { Ask, Peer } from "./handler.js";

/**
 * What is noticed when a session is replaced.
 * @experimental
 */
export type RenewalReport =
  | { readonly kind: "session_replaced"; readonly version: string; readonly cause: unknown }
  | { readonly kind: "not_restored"; readonly method: string; readonly error: unknown };

/**
 * What it takes to open a session in place of one that the other side forgot.
 * @experimental
 */
export interface RenewalOptions {
  readonly peer: Peer;
  readonly report?: ((report: RenewalReport) => void) | undefined;
  /** Shakes hands anew. @returns the revision that was agreed */
  readonly reopen: (signal: AbortSignal) => Promise<string>;
}

/**
 * Replaces a session that the other side forgot (`SESSION_LOST`), once for all requests that hear of it.
 * @experimental
 */
export interface Renewal {
  /** Sends in the session, and again in the next where the request was not carried out. */
  readonly request: Ask;
  /** Replaces the session, which was found to be gone without a request; the next one is told when that fails. */
  readonly lost: (error: LocalError) => void;
}
