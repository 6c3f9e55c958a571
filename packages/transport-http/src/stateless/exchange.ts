import {
  AccessError,
  type Connection,
  type Exchange,
  type Handler,
  type Notify,
  type Principal,
  type Result,
  RpcError,
  type RpcRequest,
  rpcCodes,
} from "@parlance/jsonrpc";
import { encodeError, encodeMessage, encodeResult } from "@parlance/jsonrpc/codec";
import { createEventStream, type EventStream } from "../event-stream.js";
import type { HttpArrival, HttpReply } from "../http.js";
import { jsonReply } from "../reply.js";
import { eventStreamHeaders, messageEvent } from "../sse.js";
import { readHeader } from "./header.js";
import type { StatelessShared } from "./server.js";
import { statusOf } from "./status.js";

/**
 * One POST and its answer: JSON if nothing is said before the result, otherwise a stream that begins with what is said.
 * What most handlers never look at is made when they do.
 */
export class StatelessExchange implements Exchange {
  readonly #arrival: HttpArrival;
  readonly #message: RpcRequest;
  readonly #shared: StatelessShared;
  /** Settles `run`. Gone once the head is decided. */
  #decide: ((reply: HttpReply) => void) | undefined;
  #fail: ((error: unknown) => void) | undefined;
  #stream: EventStream | undefined;
  #release: (() => void) | undefined;
  #done = false;

  constructor(arrival: HttpArrival, message: RpcRequest, shared: StatelessShared) {
    this.#arrival = arrival;
    this.#message = message;
    this.#shared = shared;
  }

  get connection(): Connection {
    return { closed: this.signal };
  }

  get principal(): Principal | undefined {
    return this.#arrival.principal;
  }

  /** A reader that hangs up has cancelled. */
  get signal(): AbortSignal {
    return this.#arrival.request.signal;
  }

  get header(): (name: string) => string | undefined {
    return (name) => readHeader(this.#arrival.request, name);
  }

  get notify(): Notify {
    return async (method, params) => {
      if (!this.#done) await this.#open()?.send(messageEvent(encodeMessage(undefined, method, params)));
    };
  }

  /** Rejects with an `AccessError` that came before the head. */
  run(handler: Handler): HttpReply | Promise<HttpReply> {
    let result: Result | Promise<Result>;
    try {
      result = handler.request(this.#message, this);
    } catch (error) {
      return this.#failed(error);
    }
    if (!isPromise(result) && this.#stream === undefined) return this.#succeeded(result);
    return new Promise((resolve, reject) => {
      this.#decide = resolve;
      this.#fail = reject;
      if (this.#stream !== undefined) this.#sendHead(this.#stream);
      Promise.resolve(result)
        .then(
          (value) => this.#succeeded(value),
          (error: unknown) => this.#failed(error),
        )
        .then(
          (reply) => this.#decide?.(reply),
          (error: unknown) => this.#fail?.(error),
        );
    });
  }

  /** A stream, if the caller takes one. The first call decides that the answer is one. */
  #open(): EventStream | undefined {
    if (this.#stream !== undefined || !this.#arrival.accepts.events) return this.#stream;
    this.#release = this.#arrival.openStream();
    const { keepAlive, maxQueued } = this.#shared;
    const stream = createEventStream((queued) => this.#arrival.report({ kind: "reader_stalled", queued }), maxQueued);
    this.#stream = stream;
    keepAlive.add(stream);
    this.signal.addEventListener("abort", this.#hungUp, { once: true });
    if (this.signal.aborted) stream.drop();
    this.#sendHead(stream);
    return stream;
  }

  readonly #hungUp = (): void => this.#stream?.drop();

  #sendHead(stream: EventStream): void {
    this.#decide?.({ status: 200, headers: eventStreamHeaders, body: stream.body });
    this.#decide = undefined;
    this.#fail = undefined;
  }

  #succeeded(result: Result): HttpReply {
    try {
      return this.#reply(encodeResult(this.#message.id, result), 200);
    } catch (error) {
      return this.#failed(error);
    }
  }

  /** @throws AccessError while its status can still be sent */
  #failed(error: unknown): HttpReply {
    if (error instanceof AccessError && this.#stream === undefined) {
      this.#done = true;
      throw error;
    }
    const { id, method } = this.#message;
    if (error instanceof RpcError || error instanceof AccessError) {
      return this.#reply(encodeError(id, error.toJSON()), statusOf(error));
    }
    this.#arrival.report({ kind: "handler_failed", id, method, error });
    return this.#reply(encodeError(id, { code: rpcCodes.internalError, message: "Internal error" }), 200);
  }

  #reply(text: string, status: number): HttpReply {
    const stream = this.#stream ?? (this.#arrival.accepts.json ? undefined : this.#open());
    this.#done = true;
    if (stream === undefined) return jsonReply(text, status);
    void stream.send(messageEvent(text)); // it settles by itself when the reader is gone
    stream.end();
    this.#shared.keepAlive.delete(stream);
    this.signal.removeEventListener("abort", this.#hungUp);
    this.#release?.();
    return { status: 200, headers: eventStreamHeaders, body: stream.body };
  }
}

function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof value === "object" && value !== null && "then" in value;
}
