import type { Transport } from "@parlance/jsonrpc";
import { defaultDrainMs, defaultExitAfterMs, defaultLingerMs } from "./defaults.js";
import { createReader } from "./reader.js";
import { within } from "./within.js";
import { createWriter } from "./writer.js";

/**
 * How a server uses its own stdin and stdout.
 * @stable
 */
export interface StdioOptions {
  /** The longest line that is taken, in bytes; a longer one is skipped and reported. Default 16 MiB. */
  readonly maxFrameBytes?: number | undefined;
  /** What the program itself prints on stdout (`console.log`, a library) goes to stderr until `close()`. Default `true`. */
  readonly guard?: boolean | undefined;
  /** The process ends, with `process.exitCode` or 0, once stdin ended or nobody reads stdout any more. Default `true`. */
  readonly exit?: boolean | undefined;
  /** How long requests may still be answered after stdin ended; then the connection counts as closed. Default 250. */
  readonly lingerMs?: number | undefined;
  /** How long the process may then take to end by itself, before it is exited. Default 250. */
  readonly exitAfterMs?: number | undefined;
  /** How long `close()` waits for sent frames to leave. Default 1,000. */
  readonly drainMs?: number | undefined;
}

/**
 * The server's side of stdio: frames on this process's stdin and stdout.
 * @see MCP 2026-07-28, basic/transports/stdio
 * @stable
 */
export function stdio(options: StdioOptions = {}): Transport {
  const { guard = true, exit = true, maxFrameBytes } = options;
  const { lingerMs = defaultLingerMs, exitAfterMs = defaultExitAfterMs, drainMs = defaultDrainMs } = options;
  return (sink) => {
    const { stdin, stdout, stderr } = process;
    const { write } = stdout;
    let isOver = false;
    let closing: Promise<void> | undefined;

    function finish(cause?: Error | null): void {
      if (isOver) return;
      isOver = true;
      stop();
      stdin.pause();
      sink.closed(cause ?? undefined);
    }

    /** Neither timer keeps the process: one with nothing left to do ends at once. */
    function leave(afterMs: number, cause?: Error | null): void {
      if (isOver) return;
      process.once("beforeExit", () => finish());
      setTimeout(() => {
        finish(cause);
        if (exit) setTimeout(() => void flushed(exitAfterMs).then(() => process.exit()), exitAfterMs).unref();
      }, afterMs).unref();
    }

    function flushed(ms: number): Promise<unknown> {
      return within(ms, new Promise<void>((resolve) => writer.flush(resolve)));
    }

    async function shut(): Promise<void> {
      finish();
      await flushed(drainMs);
      writer.stop();
      stdout.write = write;
    }

    const stop = createReader(stdin, sink, maxFrameBytes, (cause) => leave(cause ? 0 : lingerMs, cause));
    const writer = createWriter(stdout, (error) => leave(0, error));
    if (guard) {
      stdout.write = stderr.write.bind(stderr);
      // a reader that went away takes stderr with it, and an error nobody hears ends the process with a stack trace
      stderr.off("error", ignore).on("error", ignore);
    }

    return {
      send: writer.send,
      close() {
        closing ??= Promise.resolve().then(shut);
        return closing;
      },
    };
  };
}

function ignore(): void {
  // Who reads is gone, and with it whom to tell.
}
