import { LocalError, type RequestId, type RpcNotification } from "@parlance/jsonrpc";
import type { Change } from "../change.js";
import { changeIn } from "../change-in.js";
import { isJsonObject } from "../json-object.js";
import type { Listen, ListenEnd } from "../listens.js";
import type { ListenFilter } from "../model/listen.js";
import { listenMethod, subscriptionIdKey } from "./envelope.js";

/**
 * Listens on a stream of its own, which a request opens and its result ends. What is said for it carries the id of that
 * request; what comes before the server has acknowledged it is nobody's.
 * @see MCP 2026-07-28, basic/patterns/subscriptions
 */
export const listen: Listen = ({ session, hear }, { filter, on, signal }) =>
  new Promise((resolve, reject) => {
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
      signal.removeEventListener("abort", abort);
      settle({ type: signal.aborted ? "closed" : type, cause });
      if (honored === undefined) reject(cause ?? unacknowledged());
    }

    const unhear = hear((message) => {
      if (message.method === "notifications/cancelled" && message.params?.["requestId"] === id) {
        end("graceful");
        // the result may come after it, or not: nobody waits for it, and the server is not told what it said
        request.abort();
      } else if (subscriptionOf(message) !== id) return;
      else if (honored !== undefined) on(changeIn(message) ?? extensionChange(message));
      else if (message.method === "notifications/subscriptions/acknowledged") {
        const { notifications } = message.params ?? {};
        honored = isJsonObject(notifications) ? notifications : {};
        resolve({ honored, ended });
      }
    });

    const how = {
      signal: request.signal,
      get cancellable() {
        return signal.aborted;
      },
      started: (given: RequestId) => {
        id = given;
      },
    };
    session.call(listenMethod, { notifications: filter }, how).then(
      () => end("graceful"),
      (error: unknown) => end("dropped", error),
    );
  });

function subscriptionOf({ params }: RpcNotification): unknown {
  const meta = params?.["_meta"];
  return isJsonObject(meta) ? (meta[subscriptionIdKey] ?? null) : null;
}

function extensionChange({ method, params = {} }: RpcNotification): Change {
  return { type: "extension", method, params };
}

function unacknowledged(): LocalError {
  return new LocalError("BAD_REPLY", `${listenMethod} ended before it was acknowledged`, {
    details: { method: listenMethod },
  });
}
