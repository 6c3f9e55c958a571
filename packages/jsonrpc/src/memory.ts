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
  /** Frames wait: nobody reads yet, or the reader holds back. */
  let held = true;
  let scheduled = false;
  let finished = false;
  let closed = false;
  let behind: Behind | undefined;

  function schedule(): void {
    if (held || scheduled) return;
    scheduled = true;
    queueMicrotask(read);
  }

  function read(): void {
    scheduled = false;
    while (!held) {
      const frame = frames.shift();
      if (frame === undefined) break;
      const hold = sink?.frame(frame);
      if (!isPromise(hold)) continue;
      held = true;
      void hold.then(release, release);
      return;
    }
    behind?.resolve();
    behind = undefined;
    if (finished) close();
  }

  function release(): void {
    held = closed;
    schedule();
  }

  function close(): void {
    if (closed) return;
    closed = held = true;
    frames.length = 0;
    behind?.reject(gone());
    sink?.closed();
  }

  return {
    attach: (to) => {
      if (sink !== undefined) throw new LocalError("INVALID_ARGUMENT", "this end of the memory pair is open already");
      sink = to;
      release();
    },
    put: (text) => {
      if (closed || finished) return Promise.reject(gone());
      frames.push(text);
      schedule();
      if (held) behind ??= createBehind();
      return behind?.caughtUp;
    },
    finish: () => {
      finished = true;
      schedule();
    },
    discard: close,
  };
}

/** What a sender waits for while the reader is behind. */
interface Behind {
  readonly caughtUp: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: LocalError) => void;
}

function createBehind(): Behind {
  let settle: Omit<Behind, "caughtUp"> = { resolve: () => {}, reject: () => {} };
  const caughtUp = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject };
  });
  // a sender need not look at it
  caughtUp.catch(() => {});
  return { caughtUp, ...settle };
}

function gone(): LocalError {
  return new LocalError("CLOSED", "the other end of the memory pair is closed");
}
