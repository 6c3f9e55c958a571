import type { JsonObject, Result } from "@parlance/jsonrpc";
import type { Announcer } from "../announcements.js";
import type { Caller, FeatureSet } from "../feature.js";
import { isJsonObject } from "../json-object.js";
import type { LogGate } from "../logging.js";
import type { ClientCapabilities } from "../model/capability.js";
import { isImplementation } from "../model/implementation.js";
import type { LogLevel } from "../model/log-level.js";
import type { Watcher } from "../watching.js";

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
  /** `undefined`: it cannot subscribe to resources. */
  readonly watcher: Watcher | undefined;
  /** `undefined`: nothing is logged. */
  readonly log: LogGate | undefined;
  /** Settles when the client says that it is ready to be asked; `undefined` once it has. */
  readonly ready: Promise<void> | undefined;
  /** Takes the client's word that it is ready. */
  begin(): void;
}

/**
 * What is sent until the client says which level it wants.
 * @see MCP 2025-11-25, server/utilities/logging
 */
const defaultLogLevel: LogLevel = "info";

/**
 * Makes the state of a session that has just been agreed.
 */
export function createState(
  spoken: SpokenRevision,
  caller: Caller,
  logs: FeatureSet["logs"],
  announcer: Announcer | undefined,
  watcher: Watcher | undefined,
): SessionState {
  return new State(spoken, caller, logs?.(defaultLogLevel), announcer, watcher);
}

/** A class, and a promise only where somebody waits: there is one for each of very many sessions. */
class State implements SessionState {
  readonly spoken: SpokenRevision;
  readonly caller: Caller;
  readonly log: LogGate | undefined;
  readonly watcher: Watcher | undefined;
  readonly #announcer: Announcer | undefined;
  #begun = false;
  #ready: Promise<void> | undefined;
  #go: (() => void) | undefined;

  constructor(
    spoken: SpokenRevision,
    caller: Caller,
    log: LogGate | undefined,
    announcer: Announcer | undefined,
    watcher: Watcher | undefined,
  ) {
    this.spoken = spoken;
    this.caller = caller;
    this.log = log;
    this.#announcer = announcer;
    this.watcher = watcher;
  }

  get ready(): Promise<void> | undefined {
    if (this.#begun) {
      return undefined;
    }
    this.#ready ??= new Promise((resolve) => {
      this.#go = resolve;
    });
    return this.#ready;
  }

  begin(): void {
    this.#begun = true;
    this.#go?.();
    this.#announcer?.open();
  }
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
  const { richQuestions } = revision;
  return {
    ...others,
    ...(isJsonObject(elicitation) &&
      revision.elicitation && { elicitation: richQuestions ? elicitation : { form: {} } }),
    ...(isJsonObject(sampling) && { sampling: richQuestions ? sampling : { context: {} } }),
  };
}
