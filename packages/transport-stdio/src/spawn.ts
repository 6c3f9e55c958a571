import { LocalError, type Transport } from "@parlance/jsonrpc";
import { alone } from "@parlance/jsonrpc/respond";
import { defaultExplainMs, defaultKillAfterMs, defaultTerminateAfterMs } from "./defaults.js";
import { watchOver } from "./host-exit.js";
import { createProcessGroup } from "./process-group.js";
import { createReader } from "./reader.js";
import { start } from "./start.js";
import { watchStderr } from "./stderr.js";
import { terminate } from "./terminate.js";
import { within } from "./within.js";
import { createWriter } from "./writer.js";

/**
 * What a child process does besides exchanging messages.
 * `stderr` a line it printed (not a sign of an error) · `signaled` it did not end by itself and was sent a signal.
 * @stable
 */
export type StdioReport =
  | { readonly kind: "stderr"; readonly command: string; readonly line: string }
  | { readonly kind: "signaled"; readonly command: string; readonly signal: "SIGTERM" | "SIGKILL" };

/**
 * A server program and how it is kept.
 * @stable
 */
export interface SpawnOptions {
  /** The program: a name looked up on PATH, or a path. No shell comes in between, so nothing in `args` is expanded. */
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** Variables over the inherited ones; `undefined` takes a name away. Credentials go here. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** The names of our variables that are passed on. Default `safeEnvironmentNames`; `Object.keys(process.env)` passes on secrets too. */
  readonly inheritEnv?: readonly string[] | undefined;
  /** Default: this process's own. */
  readonly cwd?: string | undefined;
  /** The longest line that is taken, in bytes; a longer one is skipped and reported. Default 16 MiB. */
  readonly maxFrameBytes?: number | undefined;
  /** How long the child may take to end after its stdin ended, before SIGTERM. Default 2,000. */
  readonly terminateAfterMs?: number | undefined;
  /** How long it may take after SIGTERM, before SIGKILL. Default 2,000. */
  readonly killAfterMs?: number | undefined;
  /** How long a child that closed a stream, or exited, is waited for to say why. Default 2,000. */
  readonly explainMs?: number | undefined;
  /** Hears what the child does besides exchanging messages. What it throws is ignored. */
  readonly report?: ((report: StdioReport) => void) | undefined;
}

/**
 * The client's side of stdio: each connection starts the program and ends it, with everything it started.
 * Opening rejects with `SPAWN_FAILED`. When the child ends by itself, what is pending fails with `CLOSED`, whose `details`
 * are `command`, `exitCode`, `signal` and `stderr` (the end of it).
 * @throws LocalError `INVALID_ARGUMENT` without a command
 * @see MCP 2026-07-28, basic/transports/stdio
 * @stable
 */
export function spawn(options: SpawnOptions): Transport {
  const { command, args = [], maxFrameBytes, report } = options;
  const {
    terminateAfterMs = defaultTerminateAfterMs,
    killAfterMs = defaultKillAfterMs,
    explainMs = defaultExplainMs,
  } = options;
  if (!command) {
    throw new LocalError("INVALID_ARGUMENT", 'spawn needs a command: spawn({ command: "node", args: ["server.js"] })');
  }

  function tell(what: StdioReport): void {
    // A listener that throws must not end the connection, and there is nobody to tell.
    alone(() => report?.(what));
  }

  return async (sink) => {
    const child = await start(options);
    const { stdin, stdout } = child;
    const group = createProcessGroup(child, (signal) => tell({ kind: "signaled", command, signal }));
    const stderr = watchStderr(child.stderr, (line) => tell({ kind: "stderr", command, line }));
    let ending: Promise<void> | undefined;

    /** Ends the child, once. With a cause it ended by itself, and only what it left behind is cleaned up. */
    function end(cause?: LocalError | undefined): Promise<void> {
      stop();
      // Only then `sink.closed`, which may call `close()` again.
      ending ??= Promise.resolve(cause).then(shut);
      return ending;
    }

    async function shut(cause: LocalError | undefined): Promise<void> {
      sink.closed(cause);
      // What still comes is thrown away, or a child that is writing would never see the end of its stdin.
      stdout.resume();
      writer.flush();
      stdin.end();
      writer.stop(cause);
      await terminate(group, terminateAfterMs, killAfterMs);
      for (const stream of child.stdio) stream?.destroy();
      unwatch();
    }

    /** It ended, or closed a stream and so is about to: its exit code and its last words are the better reason. */
    async function explain(what: string): Promise<void> {
      if (ending !== undefined) return;
      await within(explainMs, new Promise((resolve) => child.once("close", resolve)));
      await end(describe(what));
    }

    function describe(what: string): LocalError {
      const { exitCode, signalCode: signal } = child;
      const exited = exitCode === null ? what : `exited with code ${exitCode}`;
      const ended = signal === null ? exited : `was ended by ${signal}`;
      const last = stderr.lastWords();
      const said = last === undefined ? "" : `; its last line on stderr: ${last}`;
      return new LocalError("CLOSED", `the server "${[command, ...args.slice(0, 1)].join(" ")}" ${ended}${said}`, {
        details: { command, exitCode, signal, stderr: stderr.tail() },
      });
    }

    const unwatch = watchOver({ signal: group.signal, end });
    const stop = createReader(stdout, sink, maxFrameBytes, () => void explain("closed its stdout"));
    const writer = createWriter(stdin, () => void explain("closed its stdin"));
    child.once("exit", () => void explain("ended"));
    return { send: writer.send, close: () => end(), describe };
  };
}
