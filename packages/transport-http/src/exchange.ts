import type { Connection, Exchange, Notify, Principal, RpcRequest } from "@parlance/jsonrpc";
import { encodeMessage } from "@parlance/jsonrpc/codec";
import { respond } from "@parlance/jsonrpc/respond";
import type { MessageStream } from "./event-stream.js";
import type { HttpArrival, HttpServed } from "./http.js";
import type { Open, OpenSet } from "./open-set.js";
import type { Outlet } from "./outlet.js";
import { closingReply } from "./reply.js";

/** One request and its answer. What most handlers never look at is made when they do. */
export abstract class HttpExchange implements Exchange, Open {
  readonly arrival: HttpArrival;
  readonly #outlet: Outlet;
  readonly #open: OpenSet;
  #abort: AbortController | undefined;
  #aborted: unknown;
  #done = false;

  constructor(arrival: HttpArrival, outlet: Outlet, open: OpenSet) {
    this.arrival = arrival;
    this.#outlet = outlet;
    this.#open = open;
  }

  abstract get connection(): Connection;

  get principal(): Principal | undefined {
    return this.arrival.principal;
  }

  get signal(): AbortSignal {
    this.#abort ??= new AbortController();
    if (this.#aborted !== undefined) this.#abort.abort(this.#aborted);
    return this.#abort.signal;
  }

  get notify(): Notify {
    return async (method, params) => {
      await this.stream()?.send(encodeMessage(undefined, method, params));
    };
  }

  /** The stream of its answer, which begins with what is said now. Nothing when it is answered, or the caller takes none. */
  stream(): MessageStream | undefined {
    return this.#done ? undefined : this.#outlet.open();
  }

  /** Has the server answer. */
  run(server: HttpServed, message: RpcRequest): void {
    respond(server, message, this, this.arrival.report, (text, error) => this.finish(text, error));
    if (!this.#done) this.#open.add(this);
  }

  finish(text: string | undefined, error?: unknown): void {
    if (this.#done) return;
    this.#done = true;
    this.#open.delete(this);
    this.answered(text, error);
  }

  /** Takes the text of the answer, or nothing when there is none, and what was thrown. Called once. */
  abstract answered(text: string | undefined, error: unknown): void;

  keepAlive(): void {
    this.#outlet.silent();
  }

  stop(reason: unknown): void {
    if (this.#done) return;
    this.#aborted ??= reason;
    this.#abort?.abort(reason);
  }

  abort(reason: Error): void {
    this.stop(reason);
    this.#done = true;
    this.#outlet.giveUp(closingReply);
  }
}
