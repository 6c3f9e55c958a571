import { type JsonObject, LocalError, type Peer } from "@parlance/jsonrpc";
import type { ClientSelf } from "../era.js";
import type { ProtocolVersion } from "../version.js";
import { setLevelMethod, subscribeMethod, unsubscribeMethod } from "./initialize.js";
import { until } from "./until.js";

/** How long it may take to replace a session, with all that was asked for in it. */
const renewalTimeoutMs = 30_000;

/** What it takes to open a session in place of one that the server forgot. */
export interface RenewalOptions {
  readonly peer: Peer;
  readonly report: ClientSelf["report"];
  /** Shakes hands anew. */
  readonly reopen: (signal: AbortSignal) => Promise<ProtocolVersion>;
}

/** Replaces a session that the server forgot, once for all calls that hear of it. */
export interface Renewal {
  /** Settles when there is a session to send in; `undefined`: there is. */
  readonly pending: Promise<void> | undefined;
  /** How often the session was replaced. */
  readonly count: number;
  /**
   * Sees to the failure of a request that was sent in the session of that count.
   * @throws the error, unless the request was not carried out and can be sent again
   */
  after(error: unknown, count: number): Promise<void>;
  /** Replaces the session, which was found to be gone without a request; the next one is told when that fails. */
  lost(error: LocalError): void;
  /** Takes note of a request that succeeded, if it asked for something that a new session does not have. */
  succeeded(method: string, params: JsonObject): void;
}

export function createRenewal({ peer, report, reopen }: RenewalOptions): Renewal {
  const subscribed = new Map<unknown, JsonObject>();
  let level: JsonObject | undefined;
  let lost: LocalError | undefined;
  let renewing: Promise<void> | undefined;
  let count = 0;

  function renew(cause: LocalError): Promise<void> {
    lost = cause;
    renewing ??= replace(cause).finally(() => {
      renewing = undefined;
    });
    return renewing;
  }

  async function replace(cause: LocalError): Promise<void> {
    const signal = AbortSignal.timeout(renewalTimeoutMs);
    const version = await until(reopen(signal), signal);
    lost = undefined;
    count++;
    report?.({ kind: "session_replaced", version, cause });
    if (level !== undefined) await restore(setLevelMethod, level, signal);
    for (const params of subscribed.values()) await restore(subscribeMethod, params, signal);
  }

  async function restore(method: string, params: JsonObject, signal: AbortSignal): Promise<void> {
    try {
      await peer.request(method, params, { signal });
    } catch (error) {
      report?.({ kind: "not_restored", method, error });
    }
  }

  return {
    get pending() {
      return renewing ?? (lost && renew(lost));
    },
    get count() {
      return count;
    },
    after: async (error, sentIn) => {
      if (!(error instanceof LocalError) || error.code !== "SESSION_LOST") throw error;
      if (sentIn === count) await renew(error);
      if (error.details["delivered"] === true) throw error;
    },
    lost: (error) => void renew(error).catch(() => {}), // it is tried again, and told, with the next request
    succeeded: (method, params) => {
      if (method === setLevelMethod) level = params;
      else if (method === subscribeMethod) subscribed.set(params["uri"], params);
      else if (method === unsubscribeMethod) subscribed.delete(params["uri"]);
    },
  };
}
