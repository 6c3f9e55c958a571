import { EventStream, type MessageStream, type StreamSettings } from "../event-stream.js";
import type { HttpArrival, HttpReply } from "../http.js";
import { eventStreamHeaders, messageEvent } from "../sse.js";
import type { EventStore } from "./event-store.js";

/** Whose stream it is, and what is kept of it where. */
export interface ResumableStreamOptions {
  readonly session: string;
  readonly store: EventStore;
  readonly settings: StreamSettings;
  /** Whether it begins with an event that can be resumed from, and may be let go of. */
  readonly polls: boolean;
  /** Called once, when nothing more will be sent on it. */
  readonly ended: (stream: ResumableStream) => void;
}

/**
 * One stream of a session. Its reader may go and come back on another connection; what belongs to the stream is sent on
 * it and on no other.
 * @see MCP 2025-11-25, basic/transports, multiple connections; resumability and redelivery
 */
export class ResumableStream implements MessageStream {
  readonly name: string;
  readonly #options: ResumableStreamOptions;
  #report: HttpArrival["report"] | undefined;
  #reader: EventStream | undefined;
  /** The last event that got a number. */
  #numbered = 0;
  /** The last event that is kept. */
  #kept = 0;
  /** The last event that a reader was told when it came back. */
  #told = 0;
  /** Set while a store takes its time: events stay in their order. */
  #storing: Promise<void> | undefined;
  #over: boolean;

  /** @param over nothing more comes on it: it is there to be read again */
  constructor(name: string, options: ResumableStreamOptions, over = false) {
    this.name = name;
    this.#options = options;
    this.#over = over;
  }

  get isRead(): boolean {
    return this.#reader?.isRead === true;
  }

  get reply(): HttpReply {
    return this.#reader?.reply ?? { status: 200, headers: eventStreamHeaders };
  }

  /** Begins the stream on the connection of a request. @throws AccessError `RATE_LIMITED` */
  begin(arrival: HttpArrival): this {
    this.#report = arrival.report;
    this.#reader = this.#read(arrival);
    if (this.#options.polls) void this.#send(""); // never rejects
    return this;
  }

  send(json: string): Promise<void> {
    return this.#over ? Promise.resolve() : this.#send(json);
  }

  comment(): void {
    this.#reader?.comment();
  }

  end(json?: string): void {
    if (this.#over) return;
    if (json !== undefined) void this.#send(json); // never rejects
    this.#over = true;
    if (this.#storing === undefined) this.#reader?.end();
    else void this.#storing.then(() => this.#reader?.end()); // never rejects
    this.#options.ended(this);
  }

  /** Nothing happens where the reader could not come back. */
  release(retryMs: number): void {
    if (this.#over || !this.#options.polls) return;
    void this.#reader?.write(`retry: ${Math.max(0, Math.round(retryMs))}\n\n`); // settles by itself
    this.#dismiss();
  }

  /**
   * Goes on with a reader that came back, after the event that it saw last.
   * @returns nothing when what it missed cannot be told
   * @throws AccessError `RATE_LIMITED`
   */
  async resume(arrival: HttpArrival, from: number): Promise<HttpReply | undefined> {
    const { session, store } = this.#options;
    // what nobody can have seen: whoever reads the stream reads on
    if (!this.#over && from > this.#numbered) return undefined;
    this.#report = arrival.report;
    this.#dismiss();
    let seen = from;
    let missed = "";
    do {
      const kept = this.#kept;
      const events = await store.after(session, this.name, seen);
      // a store that lost what it took would be asked for it for ever
      if (events === undefined || (events.length === 0 && seen < kept)) return undefined;
      for (const event of events) missed += this.#event(event.text, event.number);
      seen = events.at(-1)?.number ?? seen;
    } while (seen < this.#kept);
    const reader = this.#read(arrival);
    // another may have come back while this one was waiting
    this.#dismiss();
    this.#told = seen;
    if (missed !== "") void reader.write(missed); // settles by itself, and nobody waits
    if (this.#over) reader.end();
    else this.#reader = reader;
    return reader.reply;
  }

  #dismiss(): void {
    this.#reader?.end();
    this.#reader = undefined;
  }

  #read(arrival: HttpArrival): EventStream {
    return new EventStream(arrival, this.#options.settings, (reader) => this.#left(reader));
  }

  /** The reader is gone, and nothing of it is held. A stream that it cannot come back to is over. */
  #left(reader: MessageStream): void {
    if (this.#reader === reader) this.#reader = undefined;
    if (!this.isRead && this.#numbered === 0) this.end();
  }

  /** Never rejects. */
  #send(text: string): Promise<void> {
    this.#numbered += 1;
    const number = this.#numbered;
    const kept = this.#storing?.then(() => this.#keep(number, text)) ?? this.#keep(number, text);
    const event = this.#event(text, number);
    if (kept === undefined) return this.#deliver(event);
    const stored = kept.then(() => {
      if (this.#storing === stored) this.#storing = undefined;
      // a reader that came back while it was being kept has it already
      return number > this.#told ? this.#deliver(event) : undefined;
    });
    this.#storing = stored;
    return stored;
  }

  /** An event that could not be kept is sent all the same; a reader that asks for it later is told that it is gone. */
  #keep(number: number, text: string): Promise<void> | undefined {
    const done = (): void => {
      this.#kept = number;
    };
    const failed = (error: unknown): void => this.#report?.({ kind: "request_failed", error });
    try {
      const kept = this.#options.store.append(this.#options.session, this.name, { number, text });
      if (kept !== undefined) return kept.then(done, failed);
      done();
    } catch (error) {
      failed(error);
    }
    return undefined;
  }

  #deliver(event: string): Promise<void> {
    return this.#reader?.write(event) ?? Promise.resolve();
  }

  /** A message, or what says nothing but can be resumed from. */
  #event(text: string, number: number): string {
    const id = `id: ${this.name}-${number}\n`;
    return id + (text === "" ? "data:\n\n" : messageEvent(text));
  }
}
