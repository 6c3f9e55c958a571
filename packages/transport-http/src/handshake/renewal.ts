import { type Ask, type JsonObject, LocalError } from "@parlance/jsonrpc";
import { until } from "@parlance/jsonrpc/abort";
import type { Surroundings } from "../client/speech.js";

/** How long it may take to replace a session, with all that was asked for in it. */
const renewalTimeoutMs = 30_000;

const setLevelMethod = "logging/setLevel";
const subscribeMethod = "resources/subscribe";
const unsubscribeMethod = "resources/unsubscribe";

/** What it takes to open a session in place of one that the server forgot. */
export interface RenewalOptions {
  readonly send: Ask;
  /** Shakes hands anew. @returns the revision that was agreed */
  readonly again: (signal: AbortSignal) => Promise<string>;
  readonly report: Surroundings["report"];
}

/** Replaces a session that the server forgot, once for all requests that hear of it. */
export interface Renewal {
  /** Sends in the session, and again in the next where the request was not carried out. */
  readonly request: Ask;
  /** Replaces the session, which was found to be gone without a request; the next one is told when that fails. */
  readonly lost: (error: LocalError) => void;
}

/**
 * Replaces sessions that the server forgot, with the log level and the subscriptions of the last.
 * @see MCP 2025-11-25, basic/transports, session management
 */
export function createRenewal({ send, again, report }: RenewalOptions): Renewal {
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
    const version = await until(again(signal), signal);
    lost = undefined;
    count++;
    report({ kind: "session_replaced", version, cause });
    if (level !== undefined) await restore(setLevelMethod, level, signal);
    for (const params of subscribed.values()) await restore(subscribeMethod, params, signal);
  }

  async function restore(method: string, params: JsonObject, signal: AbortSignal): Promise<void> {
    try {
      await send(method, params, { signal });
    } catch (error) {
      report({ kind: "not_restored", method, error });
    }
  }

  /** @throws the error, unless the request was not carried out and can be sent again */
  async function after(error: unknown, sentIn: number): Promise<void> {
    if (!(error instanceof LocalError) || error.code !== "SESSION_LOST") throw error;
    if (sentIn === count) await renew(error);
    if (error.details["delivered"] === true) throw error;
  }

  /** Takes note of what a new session would not have. */
  function succeeded(method: string, params: JsonObject): void {
    if (method !== setLevelMethod && method !== subscribeMethod && method !== unsubscribeMethod) return;
    // a progress token is for one request
    const again = { ...params, _meta: undefined };
    if (method === setLevelMethod) level = again;
    else if (method === subscribeMethod) subscribed.set(params["uri"], again);
    else subscribed.delete(params["uri"]);
  }

  return {
    request: async (method, params, options) => {
      const pending = renewing ?? (lost && renew(lost));
      if (pending !== undefined) await until(pending, options?.signal);
      const sentIn = count;
      let result: JsonObject;
      try {
        result = await send(method, params, options);
      } catch (error) {
        await until(after(error, sentIn), options?.signal);
        result = await send(method, params, options);
      }
      succeeded(method, params);
      return result;
    },
    lost: (error) => void renew(error).catch(() => {}), // it is tried again, and told, with the next request
  };
}
