import { AccessError } from "@parlance/jsonrpc";
import { type MessageStream, type StreamOptions, type StreamSettings, streamSettings } from "./event-stream.js";
import type { HttpArrival, HttpReply } from "./http.js";
import { emptyReply, jsonReply } from "./reply.js";
import { eventStreamHeaders, messageEvent } from "./sse.js";

/**
 * How requests are answered.
 * @stable
 */
export interface AnswerOptions extends StreamOptions {
  /** `"auto"`: as JSON if nothing was said before the result, else as a stream. `"stream"`: as a stream to whoever takes one. */
  readonly answers?: "auto" | "stream" | undefined;
}

/** What all answers of one binding share. */
export interface AnswerSettings extends StreamSettings {
  readonly alwaysStream: boolean;
}

/** What the answers of one binding share, as its options say. */
export function answerSettings(options: AnswerOptions): AnswerSettings {
  return { ...streamSettings(options), alwaysStream: options.answers === "stream" };
}

/**
 * The answer to one POST: JSON if nothing is said before it, otherwise a stream that begins with what is said. What has
 * another status than 200 is JSON, whatever else the caller takes: a stream is no refusal.
 * Whatever needs another status than 200 is known before either begins.
 * @see MCP 2026-07-28, basic/transports/streamable-http, receiving messages
 */
export class Outlet {
  readonly #accepts: HttpArrival["accepts"];
  readonly #alwaysStream: boolean;
  readonly #start: () => MessageStream;
  readonly #isKept: boolean;
  #stream: MessageStream | undefined;
  /** Set when the head is decided: what comes now cannot choose a status. */
  #reply: HttpReply | Promise<never> | undefined;
  #resolve: ((reply: HttpReply | Promise<never>) => void) | undefined;
  #silentOnce = false;

  /**
   * @param start makes the stream; not called when the caller takes none
   * @param isKept streams can be read again, so that each answer that is one must be started
   */
  constructor({ accepts }: HttpArrival, alwaysStream: boolean, start: () => MessageStream, isKept = false) {
    this.#accepts = accepts;
    this.#alwaysStream = alwaysStream;
    this.#start = start;
    this.#isKept = isKept;
  }

  /** Whether somebody waits for the answer, as far as one can see. */
  get isRead(): boolean {
    return this.#reply === undefined || this.#stream?.isRead === true;
  }

  /**
   * The stream, if the caller takes one. The first call decides that the answer is one.
   * @throws AccessError `RATE_LIMITED` when the caller has too many streams
   */
  open(): MessageStream | undefined {
    if (this.#reply === undefined && this.#accepts.events) {
      this.#stream = this.#start();
      this.#decide(this.#stream.reply);
    }
    return this.#stream;
  }

  /** Called every now and then while the answer takes its time: the second time it becomes a stream that says something. */
  silent(): void {
    if (this.#reply !== undefined) return;
    try {
      if (this.#silentOnce) this.open()?.comment();
    } catch {
      // no stream is left for this caller, so that it goes on waiting in silence
    }
    this.#silentOnce = true;
  }

  /**
   * Gives the answer; once.
   * @param json absent: there is none, since nobody waits for it
   * @param error what was thrown; if it tells who may not, and the head is not out, it rejects the reply instead
   */
  finish(json: string | undefined, status = 200, error?: unknown): void {
    const { events, json: plain } = this.#accepts;
    const streams = status === 200 && events && (this.#alwaysStream || !plain || json === undefined);
    if (this.#stream !== undefined) this.#stream.end(json);
    else if (error instanceof AccessError) this.#refuse(error);
    else if (!streams) this.#decide(json === undefined ? emptyReply(202) : jsonReply(json, status));
    else if (this.#isKept) this.#openAndEnd(json);
    else this.#decide({ status, headers: eventStreamHeaders, body: json === undefined ? "" : messageEvent(json) });
  }

  /** Answers with something that is no JSON-RPC message; a stream just ends. */
  giveUp(reply: HttpReply): void {
    this.#stream?.end();
    this.#decide(reply);
  }

  /** What HTTP answers: at once if it is decided. Called once. */
  reply(): HttpReply | Promise<HttpReply> {
    return (
      this.#reply ??
      new Promise((resolve) => {
        this.#resolve = resolve;
      })
    );
  }

  #openAndEnd(json: string | undefined): void {
    try {
      this.open()?.end(json);
    } catch (error) {
      this.#refuse(error);
    }
  }

  #refuse(error: unknown): void {
    // a rejection that nobody looks at would end the process
    if (this.#reply === undefined) this.#decide(Promise.reject(error));
  }

  #decide(reply: HttpReply | Promise<never>): void {
    if (this.#reply !== undefined) return;
    this.#reply = reply;
    this.#resolve?.(reply);
  }
}
