import { LocalError, type RequestId, type RpcNotification } from "@parlance/jsonrpc";
import type { Change } from "../change.js";
import { changeIn } from "../change-in.js";
import type { Session } from "../era.js";
import { isJsonObject } from "../json-object.js";
import type { Listen, ListenEnd } from "../listens.js";
import { memo } from "../memo.js";
import type { ListenFilter } from "../model/listen.js";
import { listenMethod, subscriptionIdKey } from "./envelope.js";

/** The ids under which something is heard in a session, oldest first. */
const subscriptions: WeakMap<Session, Set<RequestId>> = /* @__PURE__ */ new WeakMap();

/**
 * Listens on a stream of its own, which a request opens and its result ends. What is said for it carries the id of that
 * request; what comes before the server has acknowledged it is nobody's.
 * @see MCP 2026-07-28, basic/patterns/subscriptions
 */
export const listen: Listen = ({ session, hear }, { filter, on, signal, stray }) =>
  new Promise((resolve, reject) => {
    const known = memo(subscriptions, session, () => new Set<RequestId>());
    let id: RequestId | undefined;
    let honored: ListenFilter | undefined;
    let settle: (end: ListenEnd) => void = () => {};
    const ended = new Promise<ListenEnd>((done) => {
      settle = done;
    });
    // a controller of its own: the caller's signal may see very many streams
    const request = new AbortController();
    const abort = (): void => request.abort(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort);

    function end(type: ListenEnd["type"], cause?: unknown): void {
      unhear();
      if (id !== undefined) known.delete(id);
      signal.removeEventListener("abort", abort);
      settle({ type: signal.aborted ? "closed" : type, cause });
      if (honored === undefined) reject(cause ?? unacknowledged());
    }

    const unhear = hear((message) => {
      if (message.method === "notifications/cancelled" && message.params?.["requestId"] === id) {
        end("graceful");
        // the result may come after it, or not: nobody waits for it, and the server is not told what it said
        request.abort();
        return;
      }
      const subscription = subscriptionOf(message);
      if (subscription === undefined) return;
      const isOurs = subscription === id;
      if (isOurs && honored !== undefined) on(changeIn(message) ?? extensionChange(message));
      else if (isOurs && message.method === "notifications/subscriptions/acknowledged") {
        const { notifications } = message.params ?? {};
        honored = isJsonObject(notifications) ? notifications : {};
        resolve({ honored, ended });
      } else if (isOurs || isReporter(subscription, id, known)) stray(subscription);
    });

    const how = {
      signal: request.signal,
      get cancellable() {
        return signal.aborted;
      },
      started: (given: RequestId) => {
        if (id !== undefined) known.delete(id);
        id = given;
        known.add(given);
      },
    };
    session.call(listenMethod, { notifications: filter }, how).then(
      () => end("graceful"),
      (error: unknown) => end("dropped", error),
    );
  });

function subscriptionOf({ params }: RpcNotification): unknown {
  const meta = params?.["_meta"];
  return isJsonObject(meta) ? meta[subscriptionIdKey] : undefined;
}

/** What belongs to none of them, the first of them says. */
function isReporter(subscription: unknown, id: RequestId | undefined, known: Set<unknown>): boolean {
  return !known.has(subscription) && known.values().next().value === id;
}

function extensionChange({ method, params = {} }: RpcNotification): Change {
  return { type: "extension", method, params };
}

function unacknowledged(): LocalError {
  return new LocalError("BAD_REPLY", `${listenMethod} ended before it was acknowledged`, {
    details: { method: listenMethod },
  });
}
