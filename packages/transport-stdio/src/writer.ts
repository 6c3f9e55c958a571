import { finished, type Writable } from "node:stream";
import { LocalError } from "@parlance/jsonrpc";

/** The sending half of a byte stream: the frames of one turn leave in one write. */
export interface Writer {
  send(text: string): void | Promise<void>;
  /** Writes what was gathered. `left` is called when all that was sent has left, or cannot leave any more. */
  flush(left?: (() => void) | undefined): void;
  /** Refuses every later frame, and those that have not left. */
  stop(cause?: Error | undefined): void;
}

/** Frames that wait for the end of the turn are written early beyond this many UTF-16 units: memory before throughput. */
const gatherLimit = 64 * 1024;

/**
 * Creates a writer on `stream`. `broken` hears once that the stream takes nothing more, with its error (EPIPE is one);
 * frames wait from then on until `stop` says why. A late error still has somebody to hear it.
 */
export function createWriter(stream: Writable, broken: (error?: Error | null) => void): Writer {
  // as it is now: what the program itself writes may be sent elsewhere later
  const write = stream.write.bind(stream);
  let gathered = "";
  let drain: Promise<void> | undefined;
  let refuse: ((reason: Error) => void) | undefined;
  let refusal: LocalError | undefined;

  function flush(left?: () => void): void {
    const text = gathered;
    gathered = "";
    // the turn may end after the stream was ended, and to write then, even nothing, throws away what has not left
    if (text === "" && left === undefined) return;
    if (write(text, left) || drain !== undefined) return;
    drain = new Promise((resolve, reject) => {
      refuse = reject;
      stream.once("drain", () => {
        drain = undefined;
        resolve();
      });
    });
    // Whoever sends may look at the promise or not; a connection that is lost must not end the process.
    drain.catch(() => undefined);
  }

  finished(stream, { readable: false }, broken);

  return {
    send(text) {
      if (refusal !== undefined) return Promise.reject(refusal);
      const isFirst = gathered === "";
      gathered += `${text}\n`;
      if (gathered.length >= gatherLimit) flush();
      else if (isFirst) process.nextTick(flush);
      return drain;
    },
    flush,
    stop(cause) {
      if (refusal !== undefined) return;
      refusal =
        cause instanceof LocalError
          ? cause
          : new LocalError("CLOSED", "the connection was closed on this side", { cause });
      refuse?.(refusal);
    },
  };
}
