import type { JsonObject, Result } from "@parlance/jsonrpc";
import type { Caller } from "../feature.js";
import { isJsonObject } from "../json-object.js";
import type { ClientCapabilities } from "../model/capability.js";
import { isImplementation } from "../model/implementation.js";
import type { LogLevel } from "../model/log-level.js";
import type { Announcer } from "./announce.js";
import type { SessionRevision } from "./differences.js";
import type { Downgrade } from "./downgrade.js";

/**
 * A revision, ready to be spoken.
 */
export interface SpokenRevision {
  readonly revision: SessionRevision;
  readonly downgrade: Downgrade;
  /** The texts of results that stay the same. */
  readonly texts: WeakMap<JsonObject, Result>;
}

/**
 * What is known of one client, from its `initialize` until its connection is gone.
 */
export interface SessionState {
  readonly spoken: SpokenRevision;
  readonly caller: Caller;
  /** `undefined`: nothing is logged. */
  readonly log: { level: LogLevel | undefined };
  readonly isReady: boolean;
  /** Settles when the client said that it is ready to be asked; rejects with the reason of `signal`. */
  ready(signal: AbortSignal): Promise<void>;
  /** Takes the client's word that it is ready. */
  begin(): void;
}

/**
 * Makes the state of a session that has just been agreed.
 */
export function createState(
  spoken: SpokenRevision,
  caller: Caller,
  level: LogLevel | undefined,
  announcer: Announcer | undefined,
): SessionState {
  const waiting = new Set<() => void>();
  let isReady = false;
  return {
    spoken,
    caller,
    log: { level },
    get isReady() {
      return isReady;
    },
    async ready(signal) {
      signal.throwIfAborted();
      if (isReady) {
        return;
      }
      await new Promise<void>((resolve, reject) => {
        const go = (): void => {
          signal.removeEventListener("abort", abandon);
          resolve();
        };
        const abandon = (): void => {
          waiting.delete(go);
          reject(signal.reason);
        };
        signal.addEventListener("abort", abandon, { once: true });
        waiting.add(go);
      });
    },
    begin() {
      isReady = true;
      for (const go of waiting) {
        go();
      }
      waiting.clear();
      announcer?.open();
    },
  };
}

/**
 * Who the parameters of `initialize` say is calling, with the capabilities that the revision has; those that no
 * revision knows are kept.
 * @see MCP 2025-11-25, basic/lifecycle, capability negotiation
 */
export function readCaller(params: JsonObject | undefined, revision: SessionRevision): Caller {
  const info = params?.["clientInfo"];
  const capabilities = params?.["capabilities"];
  return {
    info: isImplementation(info) ? info : undefined,
    capabilities: isJsonObject(capabilities) ? negotiated(capabilities, revision) : {},
  };
}

function negotiated(declared: ClientCapabilities, revision: SessionRevision): ClientCapabilities {
  const { elicitation, sampling, ...others } = declared;
  const asks = isJsonObject(elicitation) && revision.elicitation !== "none";
  return {
    ...others,
    ...(asks && { elicitation: revision.elicitation === "all" ? elicitation : { form: {} } }),
    ...(isJsonObject(sampling) && { sampling: revision.samplingArrays ? sampling : { context: {} } }),
  };
}
