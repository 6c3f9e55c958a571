import { LocalError } from "@parlance/jsonrpc";
import type { HttpArrival, TextWriter } from "./http.js";
import type { Open, OpenSet } from "./open-set.js";
import { keepAliveComment } from "./sse.js";

/** How much may wait for a reader that does not read, in characters. */
export const defaultMaxQueued: number = 4 * 1024 * 1024;

/** What all streams of one binding share. */
export interface StreamSettings {
  readonly open: OpenSet;
  readonly maxQueued: number;
}

/** A body of events that is filled while it is being sent. What is sent in one turn is written at once. */
export class EventStream implements Open {
  /** Sends what is queued until the stream ends; the adapter runs it. */
  readonly body: (out: TextWriter) => Promise<void>;
  /** Whether anything sent now can still arrive. */
  #live = true;
  readonly #arrival: HttpArrival;
  readonly #settings: StreamSettings;
  readonly #left: (() => void) | undefined;
  readonly #release: () => void;
  #queue: string[] = [];
  #waiting: (() => void)[] = [];
  #queued = 0;
  #quiet = false;
  #ended = false;
  #wake: (() => void) | undefined;
  #fail: ((error: Error) => void) | undefined;

  /**
   * @param left called when the reader is gone before the stream ended
   * @throws AccessError `RATE_LIMITED` when the caller has too many streams
   */
  constructor(arrival: HttpArrival, settings: StreamSettings, left?: () => void) {
    this.#release = arrival.openStream();
    this.#arrival = arrival;
    this.#settings = settings;
    this.#left = left;
    // a reader that does not read never lets a write settle, so a failure does not wait for it
    this.body = (out) =>
      new Promise((resolve, reject) => {
        this.#fail = reject;
        this.#run(out).then(resolve, reject);
      });
    settings.open.add(this);
    const { signal } = arrival.request;
    if (signal.aborted) this.#hungUp();
    else signal.addEventListener("abort", this.#hungUp, { once: true });
  }

  get live(): boolean {
    return this.#live;
  }

  /** Sends one event. Settles when the reader took it, or is gone. */
  send(event: string): Promise<void> {
    if (!this.#push(event)) return Promise.resolve();
    return new Promise((taken) => this.#waiting.push(taken));
  }

  /** Ends the stream, behind what was sent and one more event. */
  end(event?: string): void {
    if (event !== undefined) this.#push(event);
    this.#ended = true;
    this.#rouse();
  }

  /** Ends the stream before what is queued. */
  drop(): void {
    this.#queue = [];
    this.#queued = 0;
    this.end();
    this.#close();
  }

  keepAlive(): void {
    if (this.#quiet && this.#queued === 0) this.#push(keepAliveComment);
    this.#quiet = true;
  }

  abort(): void {
    this.drop();
  }

  #push(event: string): boolean {
    if (this.#ended) return false;
    this.#quiet = false;
    this.#queue.push(event);
    this.#queued += event.length;
    if (this.#queued > this.#settings.maxQueued) return this.#stall();
    this.#rouse();
    return true;
  }

  /** The reader took nothing for too long: its connection is cut, so that it notices. */
  #stall(): false {
    const { maxQueued } = this.#settings;
    const queued = this.#queued;
    this.#arrival.report({ kind: "reader_stalled", queued });
    this.#fail?.(new LocalError("CLOSED", `The reader let ${queued} characters wait; the limit is ${maxQueued}`));
    this.#hungUp();
    return false;
  }

  readonly #hungUp = (): void => {
    if (!this.#live) return;
    const left = this.#ended ? undefined : this.#left;
    this.drop();
    left?.();
  };

  #rouse(): void {
    this.#wake?.();
    this.#wake = undefined;
  }

  async #run(out: TextWriter): Promise<void> {
    try {
      for (;;) {
        if (this.#queue.length > 0) await this.#flush(out);
        else if (this.#ended) break;
        else await this.#more();
      }
    } finally {
      this.#close();
    }
  }

  #more(): Promise<void> {
    return new Promise((wake) => {
      this.#wake = wake;
    });
  }

  async #flush(out: TextWriter): Promise<void> {
    const events = this.#queue;
    const waiting = this.#waiting;
    this.#queue = [];
    this.#waiting = [];
    const text = events.length === 1 ? (events[0] ?? "") : events.join("");
    await out.write(text);
    this.#queued = Math.max(0, this.#queued - text.length);
    for (const taken of waiting) taken();
  }

  /** Nothing will be read any more. */
  #close(): void {
    if (!this.#live) return;
    this.#live = false;
    for (const taken of this.#waiting) taken();
    this.#waiting = [];
    this.#settings.open.delete(this);
    this.#arrival.request.signal.removeEventListener("abort", this.#hungUp);
    this.#release();
  }
}
