import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { LocalError } from "@parlance/jsonrpc";
import { createEnvironment } from "./environment.js";
import type { SpawnOptions } from "./spawn.js";
import { resolveWindowsCommand } from "./windows-command.js";

/** What the system's codes mean of a command that is to be started. */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such program; check its path, or PATH in env, and put arguments into args",
  EACCES: "it is no executable file",
};

/**
 * Starts a program in a process group of its own, without a shell in between.
 * @throws LocalError `SPAWN_FAILED`
 */
export async function start(options: SpawnOptions): Promise<ChildProcessWithoutNullStreams> {
  const { command, args = [], cwd = process.cwd() } = options;
  const isWindows = process.platform === "win32";
  try {
    const env = createEnvironment(options.env ?? {}, options.inheritEnv);
    const asked = { file: command, args, verbatim: false };
    const program = isWindows ? resolveWindowsCommand({ command, args, env, cwd, isFile: existsSync }) : asked;
    // A server has this package too and starts nothing; loading the module would be a sixth of its import.
    const { spawn } = await import("node:child_process");
    const child = spawn(program.file, program.args, {
      cwd,
      env,
      detached: !isWindows,
      windowsHide: true,
      windowsVerbatimArguments: program.verbatim,
    });
    await once(child, "spawn");
    // A signal that cannot be sent is an error event too, and one nobody hears ends this process.
    return child.on("error", () => undefined);
  } catch (cause) {
    const { code = "", message }: NodeJS.ErrnoException = Object(cause);
    const reason = existsSync(cwd) ? (reasons[code] ?? message) : `the working directory "${cwd}" does not exist`;
    throw new LocalError("SPAWN_FAILED", `"${command}" could not be started: ${reason}`, {
      cause,
      details: { command, cwd, code },
    });
  }
}
