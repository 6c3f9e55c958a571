import type { Readable } from "node:stream";
import { LocalError, type Sink } from "@parlance/jsonrpc";
import { createLines } from "./lines.js";

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

  function pump(): void {
    for (let next = lines.next(); next !== undefined; next = lines.next()) {
      if (typeof next !== "string") sink.lost(next);
      else {
        const held = sink.frame(next);
        if (held !== undefined && !stopped) {
          waiting = true;
          stream.pause();
          held.then(resume, resume);
          return;
        }
      }
      if (stopped) return;
    }
    if (atEnd) finish();
  }

  function resume(): void {
    if (stopped) return;
    waiting = false;
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
