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

/** Up to here what is sent counts as taken, in characters; above it senders wait for the reader. */
const lowWater = 16 * 1024;
const taken: Promise<void> = /* @__PURE__ */ Promise.resolve();

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
  #queued = 0;
  #waiting: (() => void)[] | undefined;
  #quiet = false;
  #ended = false;
  #out: TextWriter | undefined;
  /** Set while something is about to be written, or is being taken by the reader. */
  #busy = false;
  #finish: (() => void) | undefined;
  #fail: ((error: unknown) => void) | undefined;

  /**
   * @param left called when the reader is gone before the stream ended
   * @throws AccessError `RATE_LIMITED` when the caller has too many streams
   */
  constructor(arrival: HttpArrival, settings: StreamSettings, left?: () => void) {
    this.#release = arrival.openStream();
    this.#arrival = arrival;
    this.#settings = settings;
    this.#left = left;
    this.body = (out) => this.#run(out);
    settings.open.add(this);
    const { signal } = arrival.request;
    if (signal.aborted) this.#hungUp();
    else signal.addEventListener("abort", this.#hungUp, { once: true });
  }

  get live(): boolean {
    return this.#live;
  }

  /** Sends one event. Settles when not much waits for the reader any more, or it is gone. */
  send(event: string): Promise<void> {
    if (!this.#push(event) || this.#queued <= lowWater) return taken;
    return new Promise((resolve) => {
      this.#waiting ??= [];
      this.#waiting.push(resolve);
    });
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
    // its last write may never settle
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

  #run(out: TextWriter): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#out = out;
      this.#finish = resolve;
      this.#fail = reject;
      this.#pump(out);
    });
  }

  #rouse(): void {
    const out = this.#out;
    if (this.#busy || out === undefined) return;
    this.#busy = true;
    queueMicrotask(() => this.#pump(out));
  }

  #pump(out: TextWriter): void {
    this.#busy = false;
    if (this.#queue.length > 0) this.#write(out);
    if (this.#busy || this.#queue.length > 0 || !this.#ended) return;
    this.#close();
    this.#finish?.();
  }

  #write(out: TextWriter): void {
    const events = this.#queue;
    const text = events.length === 1 ? (events[0] ?? "") : events.join("");
    this.#queue = [];
    const settle = (): void => {
      this.#queued = Math.max(0, this.#queued - text.length);
      if (this.#queued <= lowWater) this.#letGo();
    };
    const drained = out.write(text);
    if (drained === undefined) settle();
    else this.#drain(drained, out, settle);
  }

  #drain(drained: Promise<void>, out: TextWriter, settle: () => void): void {
    this.#busy = true;
    drained.then(
      () => {
        settle();
        this.#pump(out);
      },
      (error: unknown) => {
        this.#fail?.(error);
        this.#hungUp();
      },
    );
  }

  #letGo(): void {
    for (const resolve of this.#waiting ?? []) resolve();
    this.#waiting = undefined;
  }

  /** Nothing will be read any more. */
  #close(): void {
    if (!this.#live) return;
    this.#live = false;
    this.#letGo();
    this.#settings.open.delete(this);
    this.#arrival.request.signal.removeEventListener("abort", this.#hungUp);
    this.#release();
  }
}
