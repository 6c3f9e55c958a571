import { type Ask, type Connection, LocalError } from "@parlance/jsonrpc";
import { HttpExchange } from "../exchange.js";
import type { Outlet } from "../outlet.js";
import type { Answering } from "./answer.js";
import type { RunningRequest } from "./session.js";

/** One request and its answer. A caller that hangs up has not cancelled. */
export class HandshakeExchange extends HttpExchange implements RunningRequest {
  readonly answered: (text: string | undefined, error: unknown) => void;
  readonly #answering: Answering;
  readonly #outlet: Outlet;

  /** @param answered takes the text of the answer, or nothing when there is none, and what was thrown */
  constructor(answering: Answering, outlet: Outlet, answered: HandshakeExchange["answered"]) {
    super(answering.arrival, outlet, answering.settings.open);
    this.#answering = answering;
    this.#outlet = outlet;
    this.answered = answered;
  }

  get connection(): Connection {
    return this.#answering.connection;
  }

  get request(): Ask | undefined {
    const { arrival, server, session } = this.#answering;
    const { asking } = server;
    if (session === undefined || asking === undefined || !arrival.accepts.events) return undefined;
    return async (method, params, options) => {
      const stream = this.stream();
      if (stream === undefined)
        throw new LocalError("CLOSED", "the request is answered, and nothing more can be asked");
      return session.questions(asking, arrival.report).ask(stream, method, params, options);
    };
  }

  get release(): ((retryMs: number) => void) | undefined {
    if (this.#answering.session?.resumption?.polls !== true) return undefined;
    return (retryMs) => this.stream()?.release?.(retryMs);
  }

  get isRead(): boolean {
    return this.#outlet.isRead;
  }

  cancel(reason: unknown): void {
    this.stop(reason);
    this.finish(undefined);
  }
}
