import type { Connection, Exchange, Notify, Principal, RpcRequest } from "@parlance/jsonrpc";
import { encodeMessage } from "@parlance/jsonrpc/codec";
import { respond } from "@parlance/jsonrpc/respond";
import type { StreamSettings } from "../event-stream.js";
import type { HttpArrival, HttpReply, HttpServed } from "../http.js";
import { messageStream } from "../message-stream.js";
import type { Open } from "../open-set.js";
import { type MessageStream, Outlet, type OutletOptions } from "../outlet.js";
import { emptyReply } from "../reply.js";
import { messageEvent } from "../sse.js";
import { checkRequest } from "./agreement.js";
import { readHeader } from "./header.js";
import { statusOf } from "./status.js";

/** What all exchanges of one binding share. */
export interface StatelessSettings extends StreamSettings {
  readonly alwaysStream: boolean;
  /** The streams on which changes are told: they go on until somebody ends them. */
  readonly listens: Set<StatelessExchange>;
}

/** What is answered by a stream, or refused. */
export const listenMethod = "subscriptions/listen";

/** One POST and its answer. What most handlers never look at is made when they do. */
export class StatelessExchange implements Exchange, Open, OutletOptions {
  readonly arrival: HttpArrival;
  readonly whole: OutletOptions["whole"] = messageEvent;
  readonly #settings: StatelessSettings;
  readonly #outlet: Outlet;
  #connection: Connection | undefined;
  #abort: AbortController | undefined;
  #aborted: Error | undefined;
  #done = false;

  constructor(arrival: HttpArrival, settings: StatelessSettings) {
    this.arrival = arrival;
    this.#settings = settings;
    this.#outlet = new Outlet(this);
  }

  get alwaysStream(): boolean {
    return this.#settings.alwaysStream;
  }

  start(): MessageStream {
    return messageStream(this.arrival, this.#settings);
  }

  get connection(): Connection {
    this.#connection ??= new RequestConnection(this);
    return this.#connection;
  }

  get principal(): Principal | undefined {
    return this.arrival.principal;
  }

  /** A reader that hangs up has cancelled. */
  get signal(): AbortSignal {
    if (this.#abort !== undefined) return this.#abort.signal;
    this.#abort = new AbortController();
    const { signal } = this.arrival.request;
    if (this.#aborted !== undefined || signal.aborted) this.#abort.abort(this.#aborted ?? signal.reason);
    else if (!this.#done) signal.addEventListener("abort", this, { once: true });
    return this.#abort.signal;
  }

  get header(): (name: string) => string | undefined {
    return (name) => readHeader(this.arrival.request, name);
  }

  agrees(about: "version" | "routing"): void {
    const { incoming, request } = this.arrival;
    if (incoming?.kind === "request") checkRequest(request, incoming.message, about);
  }

  get notify(): Notify {
    return async (method, params) => {
      if (!this.#done) await this.#outlet.open()?.send(encodeMessage(undefined, method, params));
    };
  }

  /** Rejects with an `AccessError` that came before the head. */
  run(server: HttpServed, message: RpcRequest): HttpReply | Promise<HttpReply> {
    if (message.method === listenMethod) this.#settings.listens.add(this);
    respond(server, message, this, this.arrival.report, (text, error) => this.#finish(text, error));
    if (!this.#done) this.#settings.open.add(this);
    return this.#outlet.reply();
  }

  /** Has what would go on for ever end in good order. */
  end(): void {
    this.handleEvent();
  }

  keepAlive(): void {
    this.#outlet.silent();
  }

  stop(reason: Error): void {
    this.#aborted ??= reason;
    this.#abort?.abort(reason);
  }

  abort(reason: Error): void {
    this.stop(reason);
    this.#done = true;
    this.#outlet.giveUp(emptyReply(503, { "retry-after": "1" }));
  }

  /** The caller hung up. */
  handleEvent(): void {
    this.stop(new DOMException("The caller hung up", "AbortError"));
  }

  #finish(text: string | undefined, error: unknown): void {
    if (this.#done) return;
    this.#done = true;
    this.#settings.open.delete(this);
    this.#settings.listens.delete(this);
    if (this.#abort !== undefined) this.arrival.request.signal.removeEventListener("abort", this);
    this.#outlet.finish(text, statusOf(error), error);
  }
}

/** A connection that is one request. Its signal is made when somebody looks, which eras do not. */
class RequestConnection implements Connection {
  readonly #exchange: Exchange;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  get closed(): AbortSignal {
    return this.#exchange.signal;
  }
}
