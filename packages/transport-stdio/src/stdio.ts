import { LocalError, type Transport } from "@parlance/jsonrpc";
import { stdioDefaults } from "./defaults.js";
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
  const {
    lingerMs = stdioDefaults.lingerMs,
    exitAfterMs = stdioDefaults.exitAfterMs,
    drainMs = stdioDefaults.drainMs,
  } = options;
  return (sink) => {
    const { stdin, stdout } = process;
    // Bound before the guard takes its place: only frames go this way.
    const write = stdout.write.bind(stdout);
    const unguard = guard ? redirect(stdout, process.stderr) : () => undefined;
    let over = false;
    let leaving = false;
    let closing: Promise<void> | undefined;

    function finish(cause?: Error | undefined): void {
      if (over) return;
      over = true;
      process.off("beforeExit", idle);
      reader.stop();
      stdin.pause();
      sink.closed(cause);
    }

    function idle(): void {
      finish();
    }

    function leave(afterMs: number, cause?: Error | undefined): void {
      if (leaving || over) return;
      leaving = true;
      // Neither timer keeps the process: one with nothing left to do is idle before, and ends at once.
      process.once("beforeExit", idle);
      setTimeout(() => {
        finish(cause);
        if (exit) setTimeout(() => void quit(), exitAfterMs).unref();
      }, afterMs).unref();
    }

    async function quit(): Promise<void> {
      await within(exitAfterMs, writer.flushed());
      process.exit();
    }

    const reader = createReader(stdin, sink, maxFrameBytes, (cause) =>
      leave(cause === undefined ? lingerMs : 0, cause),
    );
    const writer = createWriter(
      stdout,
      (error) => {
        tolerate(stdout);
        leave(0, error);
      },
      (text, wrote) => write(text, wrote),
    );

    async function shut(): Promise<void> {
      finish();
      await within(drainMs, writer.flushed());
      writer.stop(new LocalError("CLOSED", "the connection was closed on this side"));
      unguard();
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

/** Sends what is written to `from` to `to` instead. Returns the way back. */
function redirect(from: NodeJS.WriteStream, to: NodeJS.WriteStream): () => void {
  const original = from.write;
  const redirected = to.write.bind(to);
  from.write = redirected;
  tolerate(to);
  return () => {
    if (from.write === redirected) from.write = original;
  };
}

/** A reader that went away takes stdout and stderr with it, and an error nobody hears ends the process with a stack trace. */
function tolerate(stream: NodeJS.WriteStream): void {
  if (!stream.listeners("error").includes(ignore)) stream.on("error", ignore);
}

function ignore(): void {
  // Who reads is gone, and with it whom to tell.
}
