import { EventStream, type StreamSettings } from "../event-stream.js";
import type { HttpArrival, HttpReply } from "../http.js";
import type { MessageStream } from "../outlet.js";
import { eventStreamHeaders, messageEvent, primingEvent, retryField } from "../sse.js";
import type { EventStore } from "./event-store.js";

/** What all streams of one binding share. */
export interface SessionStreamSettings extends StreamSettings {
  readonly store?: EventStore | undefined;
}

/** Whose stream it is. */
export interface StreamOwner {
  readonly id: string;
  /** Whether streams begin with an event that can be resumed from, and may be let go of. */
  readonly polls: boolean;
  /** Called once, when nothing more will be sent on it. */
  ended(stream: SessionStream): void;
}

/**
 * One stream of a session. Its reader may go and, where events are kept, come back on another connection; what belongs
 * to the stream is sent on it and on no other.
 * @see MCP 2025-11-25, basic/transports, multiple connections; resumability and redelivery
 */
export class SessionStream implements MessageStream {
  readonly name: string;
  readonly #owner: StreamOwner;
  readonly #settings: SessionStreamSettings;
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
  constructor(name: string, owner: StreamOwner, settings: SessionStreamSettings, over = false) {
    this.name = name;
    this.#owner = owner;
    this.#settings = settings;
    this.#over = over;
  }

  /** Whether somebody reads it now. */
  get isRead(): boolean {
    return this.#reader?.live === true;
  }

  /** Whether what is sent now is read, or kept for a reader that can come back. */
  get isReachable(): boolean {
    return !this.#over && (this.isRead || this.#numbered > 0);
  }

  get reply(): HttpReply {
    return { status: 200, headers: eventStreamHeaders, body: this.#reader?.body };
  }

  /** Begins the stream on the connection of a request. @throws AccessError `RATE_LIMITED` */
  begin(arrival: HttpArrival): this {
    this.#report = arrival.report;
    this.#reader = this.#read(arrival);
    if (this.#settings.store !== undefined && this.#owner.polls) void this.#send(""); // never rejects
    return this;
  }

  send(json: string): Promise<void> {
    return this.#over ? Promise.resolve() : this.#send(json);
  }

  comment(text: string): void {
    void this.#reader?.send(text); // settles by itself, and nobody waits
  }

  finish(json?: string): void {
    if (this.#over) return;
    if (json !== undefined) void this.#send(json); // never rejects
    this.#over = true;
    if (this.#storing === undefined) this.#reader?.end();
    else void this.#storing.then(() => this.#reader?.end()); // never rejects
    this.#owner.ended(this);
  }

  /** Lets go of the reader, who comes back after `retryMs`. Nothing happens where it could not. */
  release(retryMs: number): void {
    if (this.#over || this.#settings.store === undefined || !this.#owner.polls) return;
    this.#reader?.end(retryField(retryMs));
    this.#reader = undefined;
  }

  /** Cuts the stream: its session has ended. */
  cut(): void {
    this.#over = true;
    this.#reader?.end();
  }

  /**
   * Goes on with a reader that came back, after the event that it saw last.
   * @returns nothing when what it missed cannot be told
   * @throws AccessError `RATE_LIMITED`
   */
  async resume(arrival: HttpArrival, from: number): Promise<HttpReply | undefined> {
    const { store } = this.#settings;
    // what nobody can have seen: whoever reads the stream reads on
    if (!this.#over && from > this.#numbered) return undefined;
    this.#report = arrival.report;
    this.#dismiss();
    let seen = from;
    let missed = "";
    do {
      const events = await store?.after(this.#owner.id, this.name, seen);
      if (events === undefined) return undefined;
      for (const event of events) missed += this.#event(event.text, event.number);
      seen = events.at(-1)?.number ?? seen;
    } while (seen < this.#kept);
    const reader = this.#read(arrival);
    // another may have come back while this one was waiting
    this.#dismiss();
    this.#told = seen;
    if (missed !== "") void reader.send(missed); // settles by itself, and nobody waits
    if (this.#over) reader.end();
    else this.#reader = reader;
    return { status: 200, headers: eventStreamHeaders, body: reader.body };
  }

  #dismiss(): void {
    this.#reader?.end();
    this.#reader = undefined;
  }

  #read(arrival: HttpArrival): EventStream {
    const reader: EventStream = new EventStream(arrival, this.#settings, () => this.#left(reader));
    return reader;
  }

  /** The reader is gone, and nothing of it is held. A stream that it cannot come back to is over. */
  #left(reader: EventStream): void {
    if (this.#reader === reader) this.#reader = undefined;
    if (!this.isRead && this.#numbered === 0) this.finish();
  }

  /** Never rejects. */
  #send(text: string): Promise<void> {
    if (this.#settings.store === undefined) return this.#deliver(messageEvent(text));
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
      const kept = this.#settings.store?.append(this.#owner.id, this.name, { number, text });
      if (kept !== undefined) return kept.then(done, failed);
      done();
    } catch (error) {
      failed(error);
    }
    return undefined;
  }

  #deliver(event: string): Promise<void> {
    return this.#reader?.send(event) ?? Promise.resolve();
  }

  #event(text: string, number: number): string {
    const id = `${this.name}-${number}`;
    return text === "" ? primingEvent(id) : messageEvent(text, id);
  }
}

/** Reads an event id: the stream it is of, and its number there. */
export function readEventId(id: string): { readonly name: string; readonly number: number } | undefined {
  const [, name, number] = /^(\d{1,15})-(\d{1,15})$/.exec(id) ?? [];
  return name === undefined || number === undefined ? undefined : { name, number: Number(number) };
}
