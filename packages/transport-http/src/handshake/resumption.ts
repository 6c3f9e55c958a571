import type { MessageStream, StreamSettings } from "../event-stream.js";
import type { HttpArrival, HttpReply } from "../http.js";
import { refusal } from "../reply.js";
import type { EventStore } from "./event-store.js";
import { ResumableStream, type ResumableStreamOptions } from "./resumable-stream.js";
import type { Session } from "./session.js";

/**
 * What makes the streams of a session such that they can be resumed: made by `resumable`.
 * @stable
 */
export type Resumable = (session: Pick<Session, "id" | "agreedOn">, settings: StreamSettings) => Resumption;

/** The streams of one session. */
export interface Resumption {
  /** Whether a stream may be let go of before its answer. */
  readonly polls: boolean;
  /**
   * Begins a stream.
   * @param left called when a stream that belongs to no request has ended
   * @throws AccessError `RATE_LIMITED`
   */
  begin(arrival: HttpArrival, left?: (stream: MessageStream) => void): MessageStream;
  /** Goes on with a stream, after the event of that id; or 400. Rejects with an AccessError `RATE_LIMITED`. */
  resume(arrival: HttpArrival, eventId: string): Promise<HttpReply>;
  /** Forgets what is kept: the session has ended. Never rejects. */
  drop(): Promise<void>;
}

/** How many streams that belong to no request are kept for a reader that may come back. */
const maxLeft = 4;

/** The first revision whose clients take an event without data, and come back when they are asked to. */
const polling = "2025-11-25";

/**
 * Numbers what is sent in sessions and keeps it in a store, so that a client whose stream broke can ask for the rest:
 * `handshakeBinding({ events: resumable(memoryEventStore()) })`. A tool may then let go of its stream, too.
 * @see MCP 2025-11-25, basic/transports, resumability and redelivery
 * @stable
 */
export function resumable(store: EventStore): Resumable {
  return (session, settings) => {
    // those on which more will come; and what to do when nothing more does
    const streams = new Map<ResumableStream, ((stream: MessageStream) => void) | undefined>();
    let last = 0;
    const options: ResumableStreamOptions = {
      session: session.id,
      store,
      settings,
      /** @see MCP 2025-11-25, basic/transports, sending messages to the server, 6 */
      get polls() {
        return session.agreedOn?.version === polling;
      },
      ended(stream) {
        streams.get(stream)?.(stream);
        streams.delete(stream);
      },
    };

    function forgetLeft(): void {
      const left = [...streams].flatMap(([stream, listens]) => (listens && !stream.isRead ? [stream] : []));
      for (const stream of left.slice(0, -maxLeft)) stream.end();
    }

    return {
      get polls() {
        return options.polls;
      },
      begin(arrival, left) {
        const stream = new ResumableStream(String(last + 1), options).begin(arrival);
        last += 1;
        streams.set(stream, left);
        if (left !== undefined) forgetLeft();
        return stream;
      },
      async resume(arrival, eventId) {
        const [, name, number] = /^(\d{1,15})-(\d{1,15})$/.exec(eventId) ?? [];
        const unknown = refusal(400, "Last-Event-ID is of no event kept here");
        if (name === undefined) return unknown;
        const going = [...streams.keys()].find((stream) => stream.name === name);
        const stream = going ?? new ResumableStream(name, options, true);
        return (await stream.resume(arrival, Number(number))) ?? unknown;
      },
      async drop() {
        streams.clear();
        try {
          await store.drop(session.id);
        } catch {
          // it bounds itself, and the session is gone either way
        }
      },
    };
  };
}
