import { encodeError } from "./codec.js";
import { type LocalError, rpcCodes } from "./error.js";
import type { Ask, Connection, Exchange, Handler, Notify } from "./handler.js";
import type { JsonObject, RequestId, RpcRequest } from "./message.js";
import type { Report } from "./report.js";
import { respond } from "./respond.js";

/** Takes the text of an answer, or nothing when there will be none. Called exactly once for each message. */
export type Reply = (text: string | undefined) => void;

/** What the running requests need of their connection. */
export interface RunningOptions {
  readonly handler: Handler;
  readonly connection: Connection;
  readonly ask: Ask;
  readonly notify: Notify;
  readonly report: (report: Report) => void;
  /** Called whenever the last running request ended. */
  readonly idle: () => void;
}

/** The requests of the peer that are being answered. */
export interface Running {
  readonly size: number;
  /** Starts one. `alone`: it did not come in a batch, so something can follow its reply. */
  start(message: RpcRequest, reply: Reply, alone: boolean): void;
  /** Takes the params of `notifications/cancelled`. @returns whether they named one of these */
  cancel(params: JsonObject | undefined): boolean;
  /** Tells all of them that nobody is there any more. Their answers still come to `reply`. */
  abort(reason: LocalError): void;
}

export function createRunning(options: RunningOptions): Running {
  const { handler, report } = options;
  const requests = new Map<RequestId, Request>();

  function end(request: Request, text: string | undefined): void {
    if (!request.open) return;
    request.open = false;
    requests.delete(request.id);
    request.reply(text);
    if (request.afterwards !== undefined) for (const send of request.afterwards) send();
    if (requests.size === 0) options.idle();
  }

  return {
    get size() {
      return requests.size;
    },
    start: (message, reply, alone) => {
      const { id, method } = message;
      if (requests.has(id)) {
        report({ kind: "duplicate_request", id, method });
        // with its id this would pass for the answer to the first
        const error = `request id ${JSON.stringify(id)} is already in use`;
        reply(encodeError(undefined, { code: rpcCodes.invalidRequest, message: error }));
        return;
      }
      const request = new Request(options, id, reply, alone);
      requests.set(id, request);
      respond(handler, message, request, report, (text) => end(request, text));
    },
    cancel: (params) => {
      const { requestId, reason } = params ?? {};
      const request = requests.get(requestId as RequestId);
      if (request === undefined) return false;
      request.abort(() => new DOMException(typeof reason === "string" ? reason : "the caller cancelled", "AbortError"));
      request.afterwards = undefined;
      end(request, undefined);
      return true;
    },
    abort: (reason) => {
      for (const request of requests.values()) request.abort(() => reason);
    },
  };
}

/** One of them, as the handler sees it. What most handlers never look at is made when they do. */
class Request implements Exchange {
  readonly connection: Connection;
  readonly request: Ask;
  readonly id: RequestId;
  readonly reply: Reply;
  /** Until the reply, or until there will be none. */
  open = true;
  afterwards: (() => void)[] | undefined;
  readonly #notify: Notify;
  readonly #alone: boolean;
  #aborted: (() => Error) | undefined;
  #controller: AbortController | undefined;

  constructor(options: RunningOptions, id: RequestId, reply: Reply, alone: boolean) {
    this.connection = options.connection;
    this.request = options.ask;
    this.id = id;
    this.reply = reply;
    this.#notify = options.notify;
    this.#alone = alone;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#aborted !== undefined) this.#controller.abort(this.#aborted());
    }
    return this.#controller.signal;
  }

  get notify(): Notify {
    return async (method, params) => {
      if (this.open) await this.#notify(method, params);
    };
  }

  get afterReply(): ((method: string, params: JsonObject) => void) | undefined {
    if (!this.#alone) return undefined;
    return (method, params) => {
      if (!this.open) return;
      this.afterwards ??= [];
      this.afterwards.push(() => void this.#notify(method, params).catch(() => {}));
    };
  }

  abort(reason: () => Error): void {
    this.#aborted ??= reason;
    this.#controller?.abort(reason());
  }
}
