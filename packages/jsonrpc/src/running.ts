import type { Reply } from "./batch.js";
import { encodeError } from "./codec.js";
import { rpcCodes } from "./error.js";
import { excerpt } from "./excerpt.js";
import type { Ask, Connection, Exchange, Handler, Notify } from "./handler.js";
import type { JsonObject, RequestId, RpcRequest } from "./message.js";
import type { Report } from "./report.js";
import { respond } from "./respond.js";

/** What the running requests need of their connection. */
export interface RunningOptions {
  readonly handler: Handler;
  readonly connection: Connection;
  readonly ask: Ask | undefined;
  readonly notify: Notify;
  readonly report: (report: Report) => void;
}

/** The requests of the peer that are being answered. */
export interface Running {
  start(message: RpcRequest, reply: Reply): void;
  /** Takes the params of `notifications/cancelled`. @returns whether they named one of these */
  cancel(params: JsonObject | undefined): boolean;
  /** Tells all of them that nobody is there any more. Their answers still come, and after the last one, `idle`. */
  end(reason: Error, idle: () => void): void;
}

/**
 * The part of a connection that answers, for `Handler.answering`.
 * @experimental
 */
export function createRunning(options: RunningOptions): Running {
  const requests = new Map<unknown, RunningRequest>();
  let whenIdle = (): void => {};

  function finish(request: RunningRequest, text: string | undefined): void {
    const { reply } = request;
    if (reply === undefined) return;
    request.reply = undefined;
    requests.delete(request.id);
    reply(text);
    if (text !== undefined && request.last !== undefined) void options.notify(...request.last);
    if (requests.size === 0) whenIdle();
  }

  return {
    start: (message, reply) => {
      const { id, method } = message;
      if (requests.has(id)) {
        options.report({ kind: "duplicate_request", id, method });
        // with its id this would pass for the answer to the first
        const fault = `request id ${excerpt(id)} is in use`;
        reply(encodeError(undefined, { code: rpcCodes.invalidRequest, message: fault }));
        return;
      }
      const request = new RunningRequest(options, id, reply);
      requests.set(id, request);
      respond(options.handler, message, request, options.report, (text) => finish(request, text));
    },
    cancel: (params) => {
      const { requestId, reason } = params ?? {};
      const request = requests.get(requestId);
      if (request === undefined) return false;
      request.stop(new DOMException(typeof reason === "string" ? reason : "the caller cancelled", "AbortError"));
      finish(request, undefined);
      return true;
    },
    end: (reason, idle) => {
      whenIdle = idle;
      for (const request of requests.values()) request.stop(reason);
      if (requests.size === 0) idle();
    },
  };
}

/** One of them, as the handler sees it. What few handlers look at is made when they do. */
class RunningRequest implements Exchange {
  readonly id: RequestId;
  /** Until the reply, or until there will be none. */
  reply: Reply | undefined;
  /** What follows the reply. */
  last: Parameters<Notify> | undefined;
  readonly #options: RunningOptions;
  #aborted: Error | undefined;
  #controller: AbortController | undefined;

  constructor(options: RunningOptions, id: RequestId, reply: Reply) {
    this.#options = options;
    this.id = id;
    this.reply = reply;
  }

  get connection(): Connection {
    return this.#options.connection;
  }

  get request(): Ask | undefined {
    return this.#options.ask;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#aborted !== undefined) this.#controller.abort(this.#aborted);
    return this.#controller.signal;
  }

  get notify(): Notify {
    return (...message) => {
      const heard = this.reply !== undefined && this.#aborted === undefined;
      return heard ? this.#options.notify(...message) : Promise.resolve();
    };
  }

  get afterReply(): (...message: Parameters<Notify>) => void {
    return (...message) => {
      this.last = message;
    };
  }

  stop(reason: Error): void {
    this.#aborted = reason;
    this.#controller?.abort(reason);
  }
}
