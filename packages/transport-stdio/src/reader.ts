import { finished, type Readable } from "node:stream";
import type { Sink } from "@parlance/jsonrpc";
import { createLines } from "./lines.js";

/**
 * How many frames are taken at most before timers and other streams get a turn: of a stream that never pauses, the event
 * loop reads megabytes at a time.
 */
const framesPerTurn = 1_000;

/**
 * Reads frames from `stream` into `sink`, and reads no further while the promise of a frame is pending.
 * `ended` is called once: without an error when the stream ended in good order and every frame was taken.
 * @returns what stops the delivery; a late error still has somebody to hear it
 */
export function createReader(
  stream: Readable,
  sink: Pick<Sink, "frame" | "lost">,
  maxFrameBytes: number | undefined,
  ended: (cause?: Error | undefined) => void,
): () => void {
  const lines = createLines(maxFrameBytes);
  let pumping = false;
  let atEnd = false;
  let stopped = false;

  async function pump(): Promise<void> {
    if (pumping) return;
    pumping = true;
    let left = framesPerTurn;
    for (let next = lines.next(); next !== undefined; next = lines.next()) {
      if (stopped) return;
      const held = typeof next === "string" ? sink.frame(next) : sink.lost(next);
      left -= 1;
      if (held === undefined && left > 0) continue;
      stream.pause();
      await Promise.allSettled([held ?? new Promise((resolve) => setImmediate(resolve))]);
      if (stopped) return;
      left = framesPerTurn;
      stream.resume();
    }
    pumping = false;
    if (atEnd) ended();
  }

  stream.on("data", (chunk: Buffer | string) => {
    if (stopped) return;
    lines.feed(chunk);
    void pump();
  });
  finished(stream, { writable: false }, (error) => {
    if (error) return ended(error);
    atEnd = true;
    lines.end();
    void pump();
  });

  return () => {
    stopped = true;
  };
}
