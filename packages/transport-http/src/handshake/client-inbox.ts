import type { Connection, Handler, Notify, RpcNotification, RpcRequest } from "@parlance/jsonrpc";
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
  abort(reason: Error): void;
}

/** Answers in one session; the next has an inbox of its own. */
export function createInbox({ reply, ...options }: InboxOptions): Inbox {
  const { handler, connection, notify, report } = options;
  const send = (text: string | undefined): void => {
    if (text === undefined) return;
    reply(text).catch((error: unknown) => report({ kind: "send_failed", error }));
  };
  const running = handler.answering?.({ ...options, ask: undefined });
  // of a handler that answers in good time there is nothing to take back
  const exchange = { connection, signal: connection.closed, notify };

  return {
    take: (message) => {
      if ("id" in message) {
        if (running === undefined) respond(handler, message, exchange, report, send);
        else running.start(message, send);
      } else if (message.method !== "notifications/cancelled" || running?.cancel(message.params) !== true) {
        hear(handler, message, connection, report);
      }
    },
    abort: (reason) => running?.end(reason, () => {}),
  };
}
