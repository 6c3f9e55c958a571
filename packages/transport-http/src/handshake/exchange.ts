import { type Ask, type Connection, type Exchange, LocalError, type Notify, type Principal } from "@parlance/jsonrpc";
import { encodeMessage } from "@parlance/jsonrpc/codec";
import type { HttpArrival } from "../http.js";
import type { Open, OpenSet } from "../open-set.js";
import type { MessageStream, Outlet } from "../outlet.js";
import { emptyReply } from "../reply.js";
import type { RunningRequest, Session } from "./session.js";
import type { SessionStream } from "./session-stream.js";

/** What one request is answered with and on. */
export interface HandshakeExchangeOptions {
  readonly arrival: HttpArrival;
  readonly connection: Connection;
  /** Absent: there is none, and nothing can be asked. */
  readonly session?: Session | undefined;
  readonly outlet: Outlet;
  /** The stream of the outlet, which it makes. */
  readonly stream: () => SessionStream | undefined;
  readonly open: OpenSet;
  /** Takes the text of the answer, or nothing when there is none, and what was thrown. */
  readonly finish: (text: string | undefined, error?: unknown) => void;
}

/** One request and its answer. A caller that hangs up has not cancelled. What most handlers never look at is made when they do. */
export class HandshakeExchange implements Exchange, Open, RunningRequest {
  readonly #options: HandshakeExchangeOptions;
  #abort: AbortController | undefined;
  #aborted: unknown;
  #done = false;

  constructor(options: HandshakeExchangeOptions) {
    this.#options = options;
  }

  get connection(): Connection {
    return this.#options.connection;
  }

  get principal(): Principal | undefined {
    return this.#options.arrival.principal;
  }

  get signal(): AbortSignal {
    this.#abort ??= new AbortController();
    if (this.#aborted !== undefined) this.#abort.abort(this.#aborted);
    return this.#abort.signal;
  }

  get notify(): Notify {
    return async (method, params) => {
      await this.#stream()?.send(encodeMessage(undefined, method, params));
    };
  }

  get request(): Ask | undefined {
    const { arrival, session } = this.#options;
    if (session === undefined || !arrival.accepts.events) return undefined;
    return async (method, params, options) => {
      const stream = this.#stream();
      if (stream === undefined)
        throw new LocalError("CLOSED", "the request is answered, and nothing more can be asked");
      return session.ask(stream, method, params, options);
    };
  }

  get release(): ((retryMs: number) => void) | undefined {
    if (this.#options.session?.polls !== true) return undefined;
    return (retryMs) => {
      if (this.#stream() !== undefined) this.#options.stream()?.release(retryMs);
    };
  }

  get isRead(): boolean {
    const { outlet, stream } = this.#options;
    return !outlet.decided || stream()?.isRead === true;
  }

  get isDone(): boolean {
    return this.#done;
  }

  keepAlive(): void {
    this.#options.outlet.silent();
  }

  cancel(reason: unknown): void {
    this.stop(reason);
    this.finish(undefined);
  }

  abort(reason: Error): void {
    this.stop(reason);
    this.#done = true;
    this.#options.outlet.giveUp(emptyReply(503, { "retry-after": "1" }));
  }

  finish(text: string | undefined, error?: unknown): void {
    if (this.#done) return;
    this.#done = true;
    this.#options.open.delete(this);
    this.#options.finish(text, error);
  }

  stop(reason: unknown): void {
    this.#aborted = reason;
    this.#abort?.abort(reason);
  }

  #stream(): MessageStream | undefined {
    return this.#done ? undefined : this.#options.outlet.open();
  }
}
