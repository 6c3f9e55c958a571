import { LocalError } from "./error.js";
import { isPromise } from "./respond.js";
import type { Sink, Transport } from "./transport.js";

/**
 * Two transports that are joined in memory: what one sends the other reads, in order and after the sender is done.
 * Each is opened once.
 * @stable
 */
export function memoryPair(): [Transport, Transport] {
  const left = createInbox();
  const right = createInbox();
  return [open(left, right), open(right, left)];
}

function open(own: Inbox, other: Inbox): Transport {
  return (sink) => {
    own.attach(sink);
    return {
      send: (text) => other.put(text),
      close: async () => {
        other.finish();
        own.discard();
      },
    };
  };
}

/** What one end has yet to read. */
interface Inbox {
  attach(sink: Sink): void;
  /** @returns a promise while the reader is behind; it rejects when there is no reader any more */
  put(text: string): Promise<void> | undefined;
  /** Nothing comes after what was put. */
  finish(): void;
  /** Nothing of what was put is read. */
  discard(): void;
}

function createInbox(): Inbox {
  const frames: string[] = [];
  let sink: Sink | undefined;
  let reading = false;
  let finished = false;
  let closed = false;
  let behind: { readonly caughtUp: Promise<void>; readonly settle: () => void } | undefined;

  function wake(): void {
    if (reading || sink === undefined) return;
    reading = true;
    queueMicrotask(read);
  }

  function read(): void {
    for (let frame = frames.shift(); frame !== undefined && !closed; frame = frames.shift()) {
      const hold = sink?.frame(frame);
      if (isPromise(hold)) {
        void hold.then(read, read);
        return;
      }
    }
    reading = false;
    behind?.settle();
    behind = undefined;
    if (finished) close();
  }

  function close(): void {
    if (closed) return;
    closed = true;
    frames.length = 0;
    behind?.settle();
    sink?.closed();
  }

  return {
    attach: (to) => {
      if (sink !== undefined) throw new LocalError("INVALID_ARGUMENT", "this end of the memory pair is open already");
      sink = to;
      wake();
    },
    put: (text) => {
      if (closed || finished)
        return Promise.reject(new LocalError("CLOSED", "the other end of the memory pair is closed"));
      const waits = reading && frames.length > 0;
      frames.push(text);
      wake();
      if (!waits && sink !== undefined) return undefined;
      behind ??= openBehind();
      return behind.caughtUp;
    },
    finish: () => {
      finished = true;
      wake();
    },
    discard: close,
  };
}

function openBehind(): { readonly caughtUp: Promise<void>; readonly settle: () => void } {
  let settle: () => void = () => {};
  const caughtUp = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return { caughtUp, settle };
}
