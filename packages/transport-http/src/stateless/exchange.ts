import type { Connection, Exchange } from "@parlance/jsonrpc";
import { EventStream } from "../event-stream.js";
import { HttpExchange } from "../exchange.js";
import type { HttpArrival } from "../http.js";
import { type AnswerSettings, Outlet } from "../outlet.js";
import { checkRequest } from "./agreement.js";
import { readHeader } from "./header.js";
import { statusOf } from "./status.js";

/** What all exchanges of one binding share. */
export interface StatelessSettings extends AnswerSettings {
  /** Those on whose streams changes are told: they go on until somebody ends them. */
  readonly listens: Set<StatelessExchange>;
}

/** One POST and its answer. A caller that hangs up has cancelled. */
export class StatelessExchange extends HttpExchange {
  readonly outlet: Outlet;
  readonly #listens: StatelessSettings["listens"];
  #connection: Connection | undefined;
  #isWatched = false;

  constructor(arrival: HttpArrival, settings: StatelessSettings) {
    const outlet = new Outlet(arrival, settings.alwaysStream, () => new EventStream(arrival, settings));
    super(arrival, outlet, settings.open);
    this.outlet = outlet;
    this.#listens = settings.listens;
  }

  get connection(): Connection {
    this.#connection ??= new RequestConnection(this);
    return this.#connection;
  }

  override get signal(): AbortSignal {
    if (!this.#isWatched) {
      this.#isWatched = true;
      const { signal } = this.arrival.request;
      if (signal.aborted) this.handleEvent();
      else signal.addEventListener("abort", this, { once: true });
    }
    return super.signal;
  }

  get header(): (name: string) => string | undefined {
    return (name) => readHeader(this.arrival.request, name);
  }

  checkHeaders(about: "version" | "routing"): void {
    const { incoming, request } = this.arrival;
    if (incoming?.kind === "request") checkRequest(request, incoming.message, about);
  }

  /** The caller hung up. */
  handleEvent(): void {
    this.stop(new DOMException("The caller hung up", "AbortError"));
  }

  answered(text: string | undefined, error: unknown): void {
    this.#listens.delete(this);
    this.outlet.finish(text, statusOf(error), error);
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
