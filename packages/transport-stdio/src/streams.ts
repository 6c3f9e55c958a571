import type { Readable, Writable } from "node:stream";
import { LocalError, type Transport } from "@parlance/jsonrpc";
import { stdioDefaults } from "./defaults.js";
import { createReader } from "./reader.js";
import { within } from "./within.js";
import { createWriter } from "./writer.js";

/**
 * The two halves of a byte stream; for a socket both are the socket.
 * @stable
 */
export interface StreamsOptions {
  readonly readable: Readable;
  readonly writable: Writable;
  /** The longest line that is taken, in bytes; a longer one is skipped and reported. Default 16 MiB. */
  readonly maxFrameBytes?: number | undefined;
  /** How long `close()` waits for sent frames to leave, before the stream is destroyed. Default 1,000. */
  readonly drainMs?: number | undefined;
}

/**
 * Frames over any reliable byte stream: a socket, a pipe, the two ends of a process. It owns the stream and ends it.
 * When the other side only ends its half, answers can still be sent until `close()`.
 * @see MCP 2026-07-28, basic/transports#custom-transports
 * @stable
 */
export function streams(options: StreamsOptions): Transport {
  const { readable, writable, maxFrameBytes, drainMs = stdioDefaults.drainMs } = options;
  return (sink) => {
    let told = false;
    let closing: Promise<void> | undefined;

    function tell(cause?: Error | undefined): void {
      if (told) return;
      told = true;
      sink.closed(cause);
    }

    function close(cause?: Error | undefined): Promise<void> {
      if (closing === undefined) {
        reader.stop();
        readable.on("error", ignore);
        writable.on("error", ignore);
        // Only then `sink.closed`, which may call `close()` again.
        closing = Promise.resolve(cause).then(shut);
      }
      return closing;
    }

    async function shut(cause: Error | undefined): Promise<void> {
      tell(cause);
      if (cause === undefined) await within(drainMs, part());
      writer.stop(new LocalError("CLOSED", "the connection was closed on this side", { cause }));
      writable.destroy();
      readable.destroy();
    }

    /** Closing a socket that has bytes to read resets it, and the other side may lose what we sent last: so both sides end first. */
    async function part(): Promise<void> {
      readable.resume();
      await writer.flushed();
      await Promise.all([end(writable), ended(readable)]);
    }

    const reader = createReader(readable, sink, maxFrameBytes, (cause) => {
      if (cause === undefined) tell();
      else void close(cause);
    });
    const writer = createWriter(writable, (error) => void close(error));
    return { send: writer.send, close: () => close() };
  };
}

function end(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed || stream.writableFinished) return resolve();
    stream.once("close", resolve);
    stream.end(() => resolve());
  });
}

function ended(stream: Readable): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed || stream.readableEnded) return resolve();
    stream.once("close", resolve);
    stream.once("end", resolve);
  });
}

function ignore(): void {
  // What a stream still has to say after it was given up changes nothing any more.
}
