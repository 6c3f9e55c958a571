import type { Readable } from "node:stream";
import { LocalError, type Sink } from "@parlance/jsonrpc";
import { createLines } from "./lines.js";

/**
 * How many frames are taken at most before timers and other streams get a turn: of a stream that never pauses, the event
 * loop reads megabytes at a time.
 */
const framesPerTurn = 1_000;

/** The receiving half of a byte stream. */
export interface Reader {
  /** Delivers nothing more and lets go of the stream. */
  stop(): void;
}

/**
 * Reads frames from `stream` into `sink`, and reads no further while the promise of a frame is pending.
 * `ended` is called once: without an error when the stream ended in good order and every frame was taken.
 */
export function createReader(
  stream: Readable,
  sink: Pick<Sink, "frame" | "lost">,
  maxFrameBytes: number | undefined,
  ended: (cause?: Error | undefined) => void,
): Reader {
  const lines = createLines(maxFrameBytes);
  let waiting = false;
  let atEnd = false;
  let stopped = false;
  let left = framesPerTurn;

  function pump(): void {
    for (let next = lines.next(); next !== undefined; next = lines.next()) {
      const held = typeof next === "string" ? sink.frame(next) : sink.lost(next);
      if (stopped) return;
      left -= 1;
      if (held !== undefined || left === 0) {
        wait(held);
        return;
      }
    }
    if (atEnd) finish();
  }

  function wait(held: void | Promise<void>): void {
    waiting = true;
    stream.pause();
    if (held === undefined) setImmediate(resume);
    else held.then(resume, resume);
  }

  function resume(): void {
    if (stopped) return;
    waiting = false;
    left = framesPerTurn;
    pump();
    if (!waiting && !stopped) stream.resume();
  }

  function data(chunk: Buffer | string): void {
    lines.feed(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
    if (!waiting) pump();
  }

  function end(): void {
    lines.end();
    atEnd = true;
    if (!waiting) pump();
  }

  function closed(): void {
    if (stream.readableEnded) end();
    else finish(new LocalError("CLOSED", "the stream was closed before its end"));
  }

  function finish(cause?: Error | undefined): void {
    if (stopped) return;
    stop();
    ended(cause);
  }

  function stop(): void {
    stopped = true;
    stream.off("data", data);
    stream.off("end", end);
    stream.off("error", finish);
    stream.off("close", closed);
  }

  stream.on("data", data);
  stream.on("end", end);
  stream.on("error", finish);
  stream.on("close", closed);
  if (stream.destroyed || stream.readableEnded) process.nextTick(closed);

  return { stop };
}
