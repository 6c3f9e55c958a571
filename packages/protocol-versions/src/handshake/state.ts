import type { Connection, JsonObject } from "@parlance/jsonrpc";
import type { ServerFacts } from "../era.js";
import type { Caller } from "../feature.js";
import { isJsonObject } from "../json-object.js";
import { isImplementation } from "../model/implementation.js";
import type { Downgrade, ServedSession } from "../served.js";
import type { ProtocolVersion } from "../version.js";
import type { SpokenRevision } from "./revision.js";

/** A class: there is one for each of very many sessions. */
export class Session implements ServedSession {
  readonly spoken: SpokenRevision;
  readonly connection: Connection;
  readonly server: ServerFacts;
  caller: Caller;
  #waiting: (() => void)[] | undefined = [];

  constructor(spoken: SpokenRevision, connection: Connection, server: ServerFacts, params?: JsonObject) {
    this.spoken = spoken;
    this.connection = connection;
    this.server = server;
    this.caller = readCaller(params);
  }

  get version(): ProtocolVersion {
    return this.spoken.version;
  }

  get downgrade(): Downgrade {
    return this.spoken.downgrade;
  }

  whenReady(act: () => void): void {
    if (this.#waiting === undefined) act();
    else this.#waiting.push(act);
  }

  /** Takes the client's word that it is ready. */
  begin(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const act of waiting) act();
  }
}

/** Who the parameters of `initialize` say is calling. */
function readCaller(params: JsonObject | undefined): Caller {
  const info = params?.["clientInfo"];
  const capabilities = params?.["capabilities"];
  return {
    info: isImplementation(info) ? info : undefined,
    capabilities: isJsonObject(capabilities) ? capabilities : {},
  };
}
