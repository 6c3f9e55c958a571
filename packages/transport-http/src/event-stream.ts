import { LocalError } from "@parlance/jsonrpc";
import type { TextWriter } from "./http.js";
import { keepAliveComment } from "./sse.js";

/** How much may wait for a reader that does not read, in characters. */
export const defaultMaxQueued: number = 4 * 1024 * 1024;

/** A body of events that is filled while it is being sent. */
export interface EventStream {
  /** Sends one event. Settles when the reader took it, or is gone. */
  send(event: string): Promise<void>;
  /** Ends the stream behind what was sent. */
  end(): void;
  /** Forgets what is queued: the reader is gone. */
  drop(): void;
  /** Sends a comment if nothing was sent since the last time. */
  keepAlive(): void;
  readonly body: (out: TextWriter) => Promise<void>;
}

interface Queued {
  readonly text: string;
  readonly taken: () => void;
}

/** @param stalled hears how much is queued when a reader is given up */
export function createEventStream(
  stalled: (queued: number) => void,
  maxQueued: number = defaultMaxQueued,
): EventStream {
  const queue: Queued[] = [];
  let queued = 0;
  let quiet = true;
  let ended = false;
  let wake: (() => void) | undefined;
  let failure: Error | undefined;

  function rouse(): void {
    wake?.();
    wake = undefined;
  }

  function drop(): void {
    ended = true;
    queued = 0;
    for (const { taken } of queue.splice(0)) taken();
    rouse();
  }

  function send(text: string): Promise<void> {
    if (ended) return Promise.resolve();
    quiet = false;
    queued += text.length;
    if (queued > maxQueued) {
      failure = new LocalError("CLOSED", `the reader let ${queued} characters wait; the limit is ${maxQueued}`);
      stalled(queued);
      drop();
      return Promise.resolve();
    }
    return new Promise((taken) => {
      queue.push({ text, taken });
      rouse();
    });
  }

  async function body(out: TextWriter): Promise<void> {
    for (;;) {
      const next = queue.shift();
      if (next !== undefined) {
        await out.write(next.text);
        queued -= next.text.length;
        next.taken();
      } else if (ended) break;
      else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
    if (failure !== undefined) throw failure;
  }

  return {
    send,
    end: () => {
      ended = true;
      rouse();
    },
    drop,
    keepAlive: () => {
      if (quiet && !ended && queue.length === 0) void send(keepAliveComment);
      quiet = true;
    },
    body,
  };
}
