import { LocalError } from "@parlance/jsonrpc";
import type { HttpArrival, HttpReply, TextWriter } from "./http.js";
import { createOpenSet, type Open, type OpenSet } from "./open-set.js";
import { eventStreamHeaders, keepAliveComment, messageEvent } from "./sse.js";

/**
 * How answers and streams are sent.
 * @stable
 */
export interface StreamOptions {
  /**
   * How often a comment goes out on a stream that is silent. A call that says nothing for twice this time is answered as
   * a stream, so that nothing in between cuts it. Default 15,000.
   */
  readonly keepAliveMs?: number | undefined;
  /** How much may wait for a reader that does not read: when more comes, its stream is cut. In characters. Default 4 Mi. */
  readonly maxQueued?: number | undefined;
}

/** What all streams of one binding share. */
export interface StreamSettings {
  readonly open: OpenSet;
  readonly maxQueued: number;
}

const defaultKeepAliveMs = 15_000;
const defaultMaxQueued = 4 * 1024 * 1024;

/** What the streams of one binding share, as its options say. */
export function streamSettings(options: StreamOptions): StreamSettings {
  const { keepAliveMs = defaultKeepAliveMs, maxQueued = defaultMaxQueued } = options;
  return { open: createOpenSet(keepAliveMs), maxQueued };
}

/** A stream of messages, as whoever has something to say sees it. */
export interface MessageStream {
  /** The head and body of the stream. */
  readonly reply: HttpReply;
  /** Whether somebody reads it now. */
  readonly isRead: boolean;
  /** Sends a message. Settles when not much waits for the reader any more, or it is gone. */
  send(json: string): Promise<void>;
  /** Says something that is no message. */
  comment(): void;
  /** Ends the stream, behind what was sent and one more message. */
  end(json?: string): void;
  /** Lets go of the reader, who comes back after `retryMs`. Absent: it could not. */
  release?(retryMs: number): void;
}

/** Up to here what is sent counts as taken, in characters; above it senders wait for the reader. */
const lowWater = 16 * 1024;
const taken: Promise<void> = /* @__PURE__ */ Promise.resolve();

/** A body of events that is filled while it is being sent. What is sent in one turn is written at once. */
export class EventStream implements MessageStream, Open {
  /** Its body sends what is queued until the stream ends; the adapter runs it. */
  readonly reply: HttpReply;
  readonly #arrival: HttpArrival;
  readonly #settings: StreamSettings;
  readonly #left: ((stream: MessageStream) => void) | undefined;
  readonly #release: () => void;
  #live = true;
  #ended = false;
  #quiet = false;
  #queue = "";
  /** How much the reader is about to take. */
  #leaving = 0;
  /** For those who wait until the reader took enough. */
  #drained: Promise<void> | undefined;
  #resume: (() => void) | undefined;
  /** Has the body look at the queue. */
  #rouse: (() => void) | undefined;
  #fail: ((error: unknown) => void) | undefined;

  /**
   * @param left called when the reader is gone before the stream ended
   * @throws AccessError `RATE_LIMITED` when the caller has too many streams
   */
  constructor(arrival: HttpArrival, settings: StreamSettings, left?: (stream: MessageStream) => void) {
    this.#release = arrival.openStream();
    this.#arrival = arrival;
    this.#settings = settings;
    this.#left = left;
    this.reply = { status: 200, headers: eventStreamHeaders, body: (out) => this.#run(out) };
    settings.open.add(this);
    const { signal } = arrival.request;
    if (signal.aborted) this.abort();
    else signal.addEventListener("abort", this, { once: true });
  }

  get isRead(): boolean {
    return this.#live;
  }

  send(json: string): Promise<void> {
    return this.write(messageEvent(json));
  }

  /** Sends one event. Settles as `send` does. */
  write(event: string): Promise<void> {
    if (this.#ended) return taken;
    const { maxQueued } = this.#settings;
    // without the event itself: what is larger than the limit is no fault of a reader who reads
    const queued = this.#queue.length + this.#leaving;
    if (queued > maxQueued) {
      this.#arrival.report({ kind: "reader_stalled", queued });
      // its connection is cut, so that it notices: the last write may never settle
      this.#fail?.(new LocalError("CLOSED", `The reader let ${queued} characters wait; the limit is ${maxQueued}`));
      this.handleEvent();
      return taken;
    }
    this.#quiet = false;
    this.#queue += event;
    this.#rouse?.();
    if (queued + event.length <= lowWater) return taken;
    this.#drained ??= new Promise((resolve) => {
      this.#resume = resolve;
    });
    return this.#drained;
  }

  comment(): void {
    void this.write(keepAliveComment); // settles by itself, and nobody waits
  }

  end(json?: string): void {
    if (json !== undefined) void this.send(json); // settles by itself, and nobody waits
    this.#ended = true;
    this.#rouse?.();
  }

  keepAlive(): void {
    if (this.#quiet && this.#queue === "" && this.#leaving === 0) this.comment();
    this.#quiet = true;
  }

  /** Ends the stream before what is queued. */
  abort(): void {
    this.#queue = "";
    this.end();
    this.#close();
  }

  /** The reader is gone. */
  handleEvent(): void {
    if (!this.#live) return;
    const left = this.#ended ? undefined : this.#left;
    this.abort();
    left?.(this);
  }

  #run(out: TextWriter): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#fail = reject;
      this.#pump(out).then(
        () => {
          // first, so that the adapter ends the stream before whoever waits for that ends the connection
          resolve();
          this.#close();
        },
        (error: unknown) => {
          reject(error);
          this.handleEvent();
        },
      );
    });
  }

  async #pump(out: TextWriter): Promise<void> {
    for (;;) {
      const text = this.#queue;
      if (text !== "") {
        this.#queue = "";
        const drained = out.write(text);
        if (drained !== undefined) {
          this.#leaving = text.length;
          await drained;
          this.#leaving = 0;
        }
        if (this.#queue.length <= lowWater) this.#letGo();
      } else if (this.#ended) {
        return;
      } else {
        await new Promise<void>((resolve) => {
          this.#rouse = resolve;
        });
      }
    }
  }

  #letGo(): void {
    this.#resume?.();
    this.#drained = undefined;
  }

  /** Nothing will be read any more. */
  #close(): void {
    if (!this.#live) return;
    this.#live = false;
    this.#letGo();
    this.#settings.open.delete(this);
    this.#arrival.request.signal.removeEventListener("abort", this);
    this.#release();
  }
}
