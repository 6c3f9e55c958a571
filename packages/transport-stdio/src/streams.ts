import type { Readable, Writable } from "node:stream";
import { finished } from "node:stream/promises";
import type { Transport } from "@parlance/jsonrpc";
import { defaultDrainMs } from "./defaults.js";
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
  const { readable, writable, maxFrameBytes, drainMs = defaultDrainMs } = options;
  return (sink) => {
    let told = false;
    let closing: Promise<void> | undefined;

    function tell(cause?: Error | undefined): void {
      if (told) return;
      told = true;
      sink.closed(cause);
    }

    function close(cause?: Error | null): Promise<void> {
      stop();
      // Only then `sink.closed`, which may call `close()` again.
      closing ??= Promise.resolve(cause ?? undefined).then(shut);
      return closing;
    }

    async function shut(cause: Error | undefined): Promise<void> {
      tell(cause);
      if (cause === undefined) await within(drainMs, part());
      writer.stop(cause);
      writable.destroy();
      readable.destroy();
    }

    /** Closing a socket that has bytes to read resets it, and the other side may lose what we sent last: so both sides end first. */
    function part(): Promise<unknown> {
      readable.resume();
      writer.flush();
      const ended = new Promise<void>((resolve) => writable.end(() => resolve()));
      return Promise.allSettled([ended, finished(readable, { writable: false })]);
    }

    const stop = createReader(readable, sink, maxFrameBytes, (cause) => (cause ? void close(cause) : tell()));
    const writer = createWriter(writable, (error) => void close(error));
    return { send: writer.send, close: () => close() };
  };
}
