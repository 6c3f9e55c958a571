/**
 * An event as it was sent: the text of a message, or nothing for the event that a stream begins with.
 * @stable
 */
export interface StoredEvent {
  /** Counts the events of its stream from 1. */
  readonly number: number;
  readonly text: string;
}

/**
 * Keeps what was sent, so that a client whose stream broke can ask for the rest. Streams are told by a name that is unique
 * in their session.
 * @see MCP 2025-11-25, basic/transports, resumability and redelivery
 * @stable
 */
export interface EventStore {
  /** Keeps an event, behind those that its stream has. */
  append(session: string, stream: string, event: StoredEvent): void | Promise<void>;
  /**
   * The events of a stream after a number, in order. Nothing when it cannot tell them all: the stream is unknown, or
   * some of them are forgotten.
   */
  after(
    session: string,
    stream: string,
    number: number,
  ): readonly StoredEvent[] | undefined | Promise<readonly StoredEvent[] | undefined>;
  /** Forgets a session that has ended. */
  drop(session: string): void | Promise<void>;
}

/**
 * How much is kept in memory.
 * @stable
 */
export interface MemoryEventStoreOptions {
  /** Events a session; the oldest go first. Default 1,000. */
  readonly maxEvents?: number | undefined;
  /** The text of all sessions, in characters; the oldest go first, whoever's they are. Default 16 Mi. */
  readonly maxLength?: number | undefined;
}

const defaultMaxEvents = 1_000;
const defaultMaxLength = 16 * 1024 * 1024;

interface Kept extends StoredEvent {
  readonly stream: string;
}

/**
 * A store within this process.
 * @stable
 */
export function memoryEventStore(options: MemoryEventStoreOptions = {}): EventStore {
  const { maxEvents = defaultMaxEvents, maxLength = defaultMaxLength } = options;
  // a session that is written to moves to the end, so that the first one is the one idle for longest
  const sessions = new Map<string, Kept[]>();
  let length = 0;

  function forgetOldest(session: string, events: Kept[]): void {
    length -= events.shift()?.text.length ?? 0;
    if (events.length === 0) sessions.delete(session);
  }

  return {
    append(session, stream, event) {
      const events = sessions.get(session) ?? [];
      sessions.delete(session);
      sessions.set(session, events);
      events.push({ stream, ...event });
      length += event.text.length;
      if (events.length > maxEvents) forgetOldest(session, events);
      for (const [name, oldest] of sessions) {
        while (length > maxLength && oldest.length > 0) forgetOldest(name, oldest);
        if (length <= maxLength) break;
      }
    },
    after(session, stream, number) {
      const events = (sessions.get(session) ?? []).filter((event) => event.stream === stream);
      // the event that the client saw last must be here: what followed it is then here too
      const at = events.findIndex((event) => event.number === number);
      return at === -1 ? undefined : events.slice(at + 1);
    },
    drop(session) {
      for (const { text } of sessions.get(session) ?? []) length -= text.length;
      sessions.delete(session);
    },
  };
}
