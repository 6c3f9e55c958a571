import type { Connection, Exchange, Handler, Notify, RpcNotification, RpcRequest } from "@parlance/jsonrpc";
import { encodeError } from "@parlance/jsonrpc/codec";
import { hear, respond } from "@parlance/jsonrpc/respond";
import type { HttpClientReport } from "../client/report.js";

/** What the messages of a server are answered with. */
export interface InboxOptions {
  readonly handler: Handler;
  readonly connection: Connection;
  readonly notify: Notify;
  /** Sends the answer to a question. */
  readonly reply: (text: string) => Promise<void>;
  readonly report: (report: HttpClientReport) => void;
}

/** Takes what a server says in a session by itself: questions, which it may take back, and notifications. */
export interface Inbox {
  take(message: RpcRequest | RpcNotification): void;
  /** Tells running questions that nobody waits for their answers. */
  abort(reason: unknown): void;
}

/** The code of JSON-RPC for a request that is none. */
const invalidRequest = -32600;

export function createInbox({ handler, connection, notify, reply, report }: InboxOptions): Inbox {
  const running = new Map<unknown, AbortController>();

  function send(text: string): void {
    reply(text).catch((error: unknown) => report({ kind: "send_failed", error }));
  }

  function answer(message: RpcRequest): void {
    const { id, method } = message;
    if (running.has(id)) {
      report({ kind: "duplicate_request", id, method });
      send(encodeError(undefined, { code: invalidRequest, message: `request id ${JSON.stringify(id)} is in use` }));
      return;
    }
    const controller = new AbortController();
    running.set(id, controller);
    const exchange: Exchange = {
      connection,
      signal: controller.signal,
      notify: async (...told) => {
        if (running.get(id) === controller) await notify(...told);
      },
    };
    respond(handler, message, exchange, report, (text) => {
      const wanted = running.get(id) === controller;
      if (wanted) running.delete(id);
      if (wanted && text !== undefined) send(text);
    });
  }

  function cancel(requestId: unknown): boolean {
    const controller = running.get(requestId);
    if (controller === undefined) return false;
    running.delete(requestId);
    controller.abort(new DOMException("the server took its question back", "AbortError"));
    return true;
  }

  return {
    take: (message) => {
      if ("id" in message) answer(message);
      else if (message.method !== "notifications/cancelled" || !cancel(message.params?.["requestId"])) {
        hear(handler, message, connection, report);
      }
    },
    abort: (reason) => {
      for (const controller of running.values()) controller.abort(reason);
      running.clear();
    },
  };
}
