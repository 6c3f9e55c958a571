import { LocalError, type RequestId, type RpcNotification } from "@parlance/jsonrpc";
import type { Change } from "../change.js";
import { changeIn } from "../change-in.js";
import type { Session } from "../era.js";
import { isJsonObject } from "../json-object.js";
import type { Listen, ListenEnd } from "../listens.js";
import { memo } from "../memo.js";
import type { ListenFilter } from "../model/listen.js";
import { listenMethod, subscriptionIdKey } from "./envelope.js";

/** The ids under which something is or was heard in a session, oldest first. */
interface Ids {
  readonly open: Set<RequestId>;
  readonly over: Set<RequestId>;
}

const subscriptions: WeakMap<Session, Ids> = /* @__PURE__ */ new WeakMap();

/** How many of those that are over are remembered: a server says their end twice, and may do so late. */
const maxOver = 1_000;

/**
 * Listens on a stream of its own, which a request opens and its result ends. What is said for it carries the id of that
 * request; what comes before the server has acknowledged it is nobody's.
 * @see MCP 2026-07-28, basic/patterns/subscriptions
 */
export const listen: Listen = ({ session, hear }, { filter, on, signal, stray }) =>
  new Promise((resolve, reject) => {
    const known = memo(subscriptions, session, (): Ids => ({ open: new Set(), over: new Set() }));
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
      retire(id, known);
      signal.removeEventListener("abort", abort);
      settle({ type: signal.aborted ? "closed" : type, cause });
      if (honored === undefined) reject(cause ?? unacknowledged());
    }

    const unhear = hear((message) => {
      const { method, params } = message;
      const isEnd = method === "notifications/cancelled";
      const subscription = isEnd ? params?.["requestId"] : subscriptionOf(message);
      if (subscription === undefined) return;
      if (subscription !== id) {
        if (isReporter(subscription, id, known, isEnd)) stray(subscription);
      } else if (isEnd) {
        end("graceful");
        // the result may come after it, or not: nobody waits for it, and the server is not told what it said
        request.abort();
      } else if (honored !== undefined) on(changeIn(message) ?? extensionChange(message));
      else if (method === "notifications/subscriptions/acknowledged") {
        const notifications = params?.["notifications"];
        honored = isJsonObject(notifications) ? notifications : {};
        resolve({ honored, ended });
      } else stray(subscription);
    });

    const how = {
      signal: request.signal,
      get cancellable() {
        return signal.aborted;
      },
      started: (given: RequestId) => {
        retire(id, known);
        id = given;
        known.open.add(given);
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

function retire(id: RequestId | undefined, { open, over }: Ids): void {
  if (id === undefined || !open.delete(id)) return;
  over.add(id);
  const [oldest] = over;
  if (over.size > maxOver && oldest !== undefined) over.delete(oldest);
}

/** What belongs to none of them, the first of them says. That one is over may be said once more. */
function isReporter(
  subscription: unknown,
  id: unknown,
  { open, over }: Record<keyof Ids, Set<unknown>>,
  isEnd: boolean,
): boolean {
  return !open.has(subscription) && open.values().next().value === id && !(isEnd && over.has(subscription));
}

function extensionChange({ method, params = {} }: RpcNotification): Change {
  return { type: "extension", method, params };
}

function unacknowledged(): LocalError {
  return new LocalError("BAD_REPLY", `${listenMethod} ended before it was acknowledged`, {
    details: { method: listenMethod },
  });
}
