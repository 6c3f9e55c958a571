import type { Writable } from "node:stream";
import { LocalError } from "@parlance/jsonrpc";

/** The sending half of a byte stream: the frames of one turn leave in one write. */
export interface Writer {
  send(text: string): void | Promise<void>;
  /** Settles when all that was sent has left, or cannot leave any more. */
  flushed(): Promise<void>;
  /** Refuses every later frame, and those that have not left, with this reason; lets go of the stream. */
  stop(reason: Error): void;
}

/** How `Writable.write` is called here. */
export type Write = (text: string, wrote: (error?: Error | null) => void) => boolean;

/** Frames that wait for the end of the turn are written early beyond this many UTF-16 units: memory before throughput. */
const gatherLimit = 64 * 1024;

interface Wait {
  readonly promise: Promise<void>;
  settle(reason?: Error | undefined): void;
}

function createWait(): Wait {
  let settle: Wait["settle"] = () => undefined;
  const promise = new Promise<void>((resolve, reject) => {
    settle = (reason) => (reason === undefined ? resolve() : reject(reason));
  });
  // Whoever sends may look at the promise or not; a connection that is lost must not end the process.
  promise.catch(() => undefined);
  return { promise, settle };
}

/**
 * Creates a writer on `stream`. `broken` hears once that the stream takes nothing more, with its error (EPIPE is one);
 * frames wait from then on until `stop` says why.
 * `write` stands in for the stream's own, where that was redirected.
 */
export function createWriter(
  stream: Writable,
  broken: (error: Error) => void,
  write: Write = (text, wrote) => stream.write(text, wrote),
): Writer {
  let gathered = "";
  let scheduled = false;
  let writing = 0;
  let drain: Wait | undefined;
  let isBroken = false;
  let refusal: Error | undefined;

  function flush(): void {
    scheduled = false;
    if (gathered === "") return;
    const text = gathered;
    gathered = "";
    writing += 1;
    if (!write(text, wrote)) drain ??= createWait();
  }

  function wrote(error?: Error | null): void {
    writing -= 1;
    // The stream's error event follows, and what it leads to is the better answer.
    if (error || writing > 0 || drain === undefined) return;
    drain.settle();
    drain = undefined;
  }

  function failed(error: Error): void {
    letGo();
    isBroken = true;
    gathered = "";
    drain ??= createWait();
    broken(error);
  }

  function closed(): void {
    failed(new LocalError("CLOSED", "the stream was closed while frames could still be sent"));
  }

  function letGo(): void {
    stream.off("error", failed);
    stream.off("close", closed);
  }

  stream.on("error", failed);
  stream.on("close", closed);

  return {
    send(text) {
      if (refusal !== undefined) return Promise.reject(refusal);
      if (isBroken) return drain?.promise;
      gathered += `${text}\n`;
      if (gathered.length >= gatherLimit) flush();
      else if (!scheduled) {
        scheduled = true;
        process.nextTick(flush);
      }
      return drain?.promise;
    },
    async flushed() {
      if (isBroken || refusal !== undefined) return;
      flush();
      if (writing === 0) return;
      drain ??= createWait();
      await drain.promise.catch(() => undefined);
    },
    stop(reason) {
      if (refusal !== undefined) return;
      refusal = reason;
      gathered = "";
      drain?.settle(reason);
      drain = undefined;
      letGo();
    },
  };
}
