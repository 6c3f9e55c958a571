import type { ConnectedServer } from "@parlance/client";
import type { ServerFailure } from "./failure.js";
import type { RefusedTool } from "./offer.js";
import type { ServerState } from "./server.js";

/**
 * How it stands with a server of a host.
 * @stable
 */
export interface ServerStatus {
  readonly id: string;
  readonly state: ServerState;
  /** Whether it runs and is connected, now. */
  readonly connected: boolean;
  readonly era?: ConnectedServer["era"] | undefined;
  /** The protocol revision. */
  readonly revision?: string | undefined;
  /** Who it says it is. */
  readonly info?: ConnectedServer["info"] | undefined;
  readonly capabilities?: ConnectedServer["capabilities"] | undefined;
  /** How long the last connect took, the list of tools included. */
  readonly connectMs?: number | undefined;
  /** The names of its tools in the registry. */
  readonly tools: readonly string[];
  /** Its tools that are not. */
  readonly refused: readonly RefusedTool[];
  /** Why it is not connected. */
  readonly error?: ServerFailure | undefined;
}
