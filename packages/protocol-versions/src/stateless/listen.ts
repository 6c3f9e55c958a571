import { AccessError, type Connection } from "@parlance/jsonrpc";
import { longestTimerMs } from "@parlance/jsonrpc/timer";
import { mergeCapabilities } from "../capability.js";
import type { ServerFacts } from "../era.js";
import type { Call, Feature, Outcome, Refused } from "../feature.js";
import { isJsonObject } from "../json-object.js";
import { memo } from "../memo.js";
import { type ListenFilter, listKeys } from "../model/listen.js";
import { wrongParam } from "../read.js";
import { type Served, served } from "../served.js";
import { notFound } from "../serving.js";
import { type Watcher, watchingOf } from "../watching.js";
import { subscriptionIdKey } from "./envelope.js";
import { createFanOut, type ReaderOptions } from "./fan-out.js";

/** How many streams one pipe may have open at a time; over HTTP that is the transport's to limit. */
const maxListens = 100;
const retryAfterMs = 1_000;
const silent = async (): Promise<void> => {};

/** What a listener will hear of. */
interface Honored {
  readonly filter: ListenFilter;
  readonly wants: ReaderOptions["wants"];
}

const servers: WeakMap<ServerFacts, ReturnType<typeof createListens>> = /* @__PURE__ */ new WeakMap();

/**
 * Answers requests to listen: says what will be heard, tells of it until the listener goes, the server closes or the
 * right to listen expires, and ends with a result.
 * @see MCP 2026-07-28, basic/patterns/subscriptions
 * @throws RpcError −32601 in a session
 */
export const listen: Feature = (call) => {
  const within = call[served];
  if (within === undefined || within.session !== undefined) throw notFound(call.method);
  const { server } = within;
  return memo(servers, server, () => createListens(server))(within, call);
};

function createListens(server: ServerFacts): (within: Served, call: Call) => Promise<Outcome> {
  const capabilities = mergeCapabilities(server.features, true);
  const watching = watchingOf(server.features);
  const fanOut = createFanOut(server.changes);
  const counts = new WeakMap<Connection, number>();
  const open = new Set<() => void>();
  // one listener for all of them: more than ten on one signal print a warning
  server.closing.addEventListener("abort", () => {
    for (const end of open) end();
  });

  /** @throws AccessError `RATE_LIMITED` */
  function enter(connection: Connection): () => void {
    const count = counts.get(connection) ?? 0;
    if (count >= maxListens) {
      const message = `${count} streams are open on this connection; the limit is ${maxListens}`;
      throw new AccessError("RATE_LIMITED", message, { retryAfterMs });
    }
    counts.set(connection, count + 1);
    return () => void counts.set(connection, (counts.get(connection) ?? 1) - 1);
  }

  /** What the server has of what is asked for; what it has not is left out. */
  async function honor(asked: ListenFilter, call: Call, watcher: Watcher | undefined): Promise<Honored | Refused> {
    const filter: Record<string, unknown> = {};
    const heard = new Set<string>();
    const keyed = new Map<string, ReadonlySet<string>>();
    for (const [key, list] of listKeys) {
      if (asked[key] !== true || !announces(list, "listChanged")) continue;
      filter[key] = true;
      heard.add(list);
    }
    const { resourceSubscriptions: uris } = asked;
    if (uris !== undefined && watcher !== undefined && announces("resources", "subscribe")) {
      filter["resourceSubscriptions"] = uris.filter((uri) => watcher.add(call, uri).type === "complete");
    }
    for (const set of server.features) {
      for (const [key, decide] of Object.entries(set.extension?.listens ?? {})) {
        const wanted = asked[key];
        if (wanted === undefined) continue;
        if (!isTexts(wanted)) throw wrongParam(`notifications.${key}`, wanted, "a list of texts");
        const values = await decide(wanted, call);
        if ("reason" in values) return values;
        filter[key] = values;
        keyed.set(key, new Set(values));
      }
    }
    const wants: Honored["wants"] = (change) => {
      if (change.type !== "extension") return heard.has(change.type);
      const { key } = change;
      return key !== undefined && keyed.get(key.name)?.has(key.value) === true;
    };
    return { filter, wants };
  }

  function announces(list: string, promise: string): boolean {
    const capability = capabilities[list];
    return isJsonObject(capability) && capability[promise] === true;
  }

  return async ({ request: { id }, exchange }, call) => {
    const { notifications: asked } = call.params;
    checkFilter(asked);
    const leave = enter(exchange.connection);
    const { signal } = exchange;
    let wants: Honored["wants"] = () => false;
    let finish = (_error?: unknown): void => {};
    const reader = fanOut.add({
      id,
      notify: exchange.notify,
      wants: (change) => wants(change),
      overrun: () => finish(),
    });
    const watcher = watching?.open(server.changes, async (uri) => reader.updated(uri));
    try {
      const honored = await honor(asked, Object.create(call, quiet), watcher);
      if ("reason" in honored) return honored;
      wants = honored.wants;
      if (!signal.aborted && !server.closing.aborted) {
        await new Promise<void>((resolve, reject) => {
          const end = (): void => finish();
          const stopTimer = startTimer(exchange.principal?.expiresAtMs, end);
          finish = (error) => {
            open.delete(end);
            signal.removeEventListener("abort", end);
            stopTimer();
            if (error instanceof AccessError) reject(error);
            else resolve();
          };
          open.add(end);
          signal.addEventListener("abort", end);
          const acknowledged = exchange.notify("notifications/subscriptions/acknowledged", {
            _meta: { [subscriptionIdKey]: id },
            notifications: honored.filter,
          });
          reader.open(acknowledged);
          acknowledged.catch(finish);
        });
      }
      reader.flush();
      exchange.afterReply?.("notifications/cancelled", { requestId: id });
      return { type: "complete", result: { _meta: { [subscriptionIdKey]: id } } };
    } finally {
      reader.close();
      watcher?.close();
      leave();
    }
  };
}

/** What is on a listen stream is of the subscription, never of a call. */
const quiet: PropertyDescriptorMap = { progress: { value: silent }, log: { value: silent } };

/** Acts at that time, however far away it is, and never at once. @returns what stops it */
function startTimer(atMs: number | undefined, act: () => void): () => void {
  if (atMs === undefined) return () => {};
  const wait = (): ReturnType<typeof setTimeout> => {
    const leftMs = atMs - Date.now();
    return leftMs > longestTimerMs ? setTimeout(again, longestTimerMs) : setTimeout(act, Math.max(0, leftMs));
  };
  const again = (): void => {
    timer = wait();
  };
  let timer = wait();
  return () => clearTimeout(timer);
}

/** @throws RpcError −32602 */
function checkFilter(value: unknown): asserts value is ListenFilter {
  if (!isJsonObject(value)) throw wrongParam("notifications", value, "an object");
  for (const key of listKeys.keys()) {
    const flag = value[key];
    if (flag !== undefined && typeof flag !== "boolean") throw wrongParam(`notifications.${key}`, flag, "a boolean");
  }
  const { resourceSubscriptions: uris } = value;
  if (uris === undefined || isTexts(uris)) return;
  throw wrongParam("notifications.resourceSubscriptions", uris, "a list of URIs");
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}
