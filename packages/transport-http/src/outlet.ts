import { AccessError } from "@parlance/jsonrpc";
import type { HttpArrival, HttpReply } from "./http.js";
import { emptyReply, jsonReply } from "./reply.js";
import { eventStreamHeaders, keepAliveComment } from "./sse.js";

/** Where the messages of one answer go once it is a stream. */
export interface MessageStream {
  /** Sends a message. Settles when the reader took it, or is gone. */
  send(json: string): Promise<void>;
  /** Sends something that is no message. */
  comment(text: string): void;
  /** Sends the answer and ends the stream; without one it just ends. */
  finish(json?: string): void;
  /** The head and body of the stream. */
  readonly reply: HttpReply;
}

/** How an answer is given. */
export interface OutletOptions {
  readonly arrival: HttpArrival;
  /** Makes the stream. Not called when the caller takes none. */
  start(): MessageStream;
  /** The whole stream of an answer before which nothing was said. Absent: it is made like any other. */
  readonly whole?: ((json: string) => string) | undefined;
  /** Every answer is a stream. */
  readonly alwaysStream?: boolean | undefined;
}

/**
 * The answer to one POST: JSON if nothing is said before it, otherwise a stream that begins with what is said. What has
 * another status than 200 is JSON, whatever else the caller takes: a stream is no refusal.
 * Whatever needs another status than 200 is known before either begins.
 * @see MCP 2026-07-28, basic/transports/streamable-http, receiving messages
 */
export class Outlet {
  readonly #options: OutletOptions;
  #stream: MessageStream | undefined;
  #decided = false;
  #reply: HttpReply | undefined;
  #error: unknown;
  #resolve: ((reply: HttpReply) => void) | undefined;
  #reject: ((error: unknown) => void) | undefined;
  #silentOnce = false;

  constructor(options: OutletOptions) {
    this.#options = options;
  }

  /** Whether the head is decided: what comes now cannot choose a status. */
  get decided(): boolean {
    return this.#decided;
  }

  /**
   * The stream, if the caller takes one. The first call decides that the answer is one.
   * @throws AccessError `RATE_LIMITED` when the caller has too many streams
   */
  open(): MessageStream | undefined {
    const options = this.#options;
    if (this.#stream !== undefined || this.#decided || !options.arrival.accepts.events) {
      return this.#stream;
    }
    this.#stream = options.start();
    this.#decide(this.#stream.reply);
    return this.#stream;
  }

  /** Called every now and then while the answer takes its time: the second time it becomes a stream that says something. */
  silent(): void {
    if (this.#decided) return;
    if (this.#silentOnce) this.#breakSilence();
    this.#silentOnce = true;
  }

  /**
   * Gives the answer.
   * @param error what was thrown; if it tells who may not, and the head is not out, it rejects the reply instead
   */
  finish(json: string | undefined, status = 200, error?: unknown): void {
    if (this.#stream !== undefined) this.#stream.finish(json);
    else if (this.#decided) return;
    else if (error instanceof AccessError) this.#refuse(error);
    else if (json === undefined) this.#decide(this.#nothing());
    else if (status !== 200 || this.#isJson()) this.#decide(jsonReply(json, status));
    else this.#finishStream(json);
  }

  /** Answers with something that is no JSON-RPC message; a stream just ends. */
  giveUp(reply: HttpReply): void {
    if (this.#stream === undefined) this.#decide(reply);
    else this.#stream.finish();
  }

  /** What HTTP answers: at once if it is decided. Called once. */
  reply(): HttpReply | Promise<HttpReply> {
    if (this.#reply !== undefined) return this.#reply;
    if (this.#decided) throw this.#error;
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  #breakSilence(): void {
    try {
      this.open()?.comment(keepAliveComment);
    } catch {
      // no stream is left for this caller, so that it goes on waiting in silence
    }
  }

  #isJson(): boolean {
    const { arrival, alwaysStream } = this.#options;
    return arrival.accepts.json && !(alwaysStream === true && arrival.accepts.events);
  }

  #finishStream(json: string): void {
    const { whole } = this.#options;
    if (whole !== undefined) {
      this.#decide({ status: 200, headers: eventStreamHeaders, body: whole(json) });
      return;
    }
    try {
      this.open()?.finish(json);
    } catch (error) {
      this.#refuse(error);
    }
  }

  /** Nobody waits for the answer of a cancelled request; HTTP still wants one. */
  #nothing(): HttpReply {
    return this.#options.arrival.accepts.events
      ? { status: 200, headers: eventStreamHeaders, body: "" }
      : emptyReply(202);
  }

  #decide(reply: HttpReply): void {
    if (this.#decided) return;
    this.#decided = true;
    this.#reply = reply;
    this.#resolve?.(reply);
  }

  #refuse(error: unknown): void {
    this.#decided = true;
    this.#error = error;
    this.#reject?.(error);
  }
}
