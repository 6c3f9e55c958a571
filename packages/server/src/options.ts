import type { Handler } from "@parlance/jsonrpc";
import type { ChangeBus, FeatureSet, Implementation, OnError, ServerEra } from "@parlance/protocol-versions";
import type { FeatureMiddleware } from "./feature-set.js";
import type { ServerReport } from "./report.js";

/**
 * Stands around the whole server: it sees every request and notification as it came. The first in a list is outermost.
 * @stable
 */
export type HandlerMiddleware = (next: Handler) => Handler;

/**
 * What a server is made of.
 * @stable
 */
export interface ServerOptions {
  /** Who the server says it is; `name` and `version` are required by the protocol. */
  readonly info: Implementation;
  /** How to use this server, for the model on the other side. */
  readonly instructions?: string | undefined;
  /** What it offers; no two sets may answer the same method. `[]`: it only introduces itself. */
  readonly features: readonly FeatureSet[];
  /** The eras it speaks. Default: both. One alone pins it. */
  readonly eras?: readonly ServerEra[] | undefined;
  /** Stands around every feature, on every round of a call. Made once for each method and era. */
  readonly middleware?: readonly FeatureMiddleware[] | undefined;
  /** Stands around the whole server, inside the masking of errors. */
  readonly handlerMiddleware?: readonly HandlerMiddleware[] | undefined;
  /** Where changes travel. Default: a bus of its own; give one to share it, or to span processes. */
  readonly changes?: ChangeBus | undefined;
  /** Hears every error that was kept from a caller, those of tools too. */
  readonly onError?: OnError | undefined;
  /** Hears what the server noticed, those errors too. */
  readonly report?: ((report: ServerReport) => void) | undefined;
  /** How long `close` lets running calls go on, in milliseconds. Default `defaultDrainMs`. */
  readonly drainMs?: number | undefined;
}
