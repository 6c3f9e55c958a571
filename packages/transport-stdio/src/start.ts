import type { ChildProcess, ChildProcessByStdio } from "node:child_process";
import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { Readable, Writable } from "node:stream";
import { LocalError } from "@parlance/jsonrpc";
import { variable } from "./environment.js";
import { resolveWindowsCommand } from "./windows-command.js";

/** A child whose streams are ours; `stderr` is absent where the child shares this process's own. */
export type Child = ChildProcessByStdio<Writable, Readable, Readable | null>;

/** What to start, completely settled. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly stderr: "pipe" | "inherit";
}

/**
 * Starts a program in a process group of its own, without a shell in between.
 * @throws LocalError `SPAWN_FAILED`
 */
export async function start(program: Program): Promise<Child> {
  const { command, cwd, env, stderr } = program;
  const isWindows = process.platform === "win32";
  try {
    const { file, args, verbatim } = isWindows
      ? resolveWindowsCommand({ ...program, isFile: (path) => isFolder(path) === false })
      : { file: command, args: program.args, verbatim: false };
    // A server has this package too and starts nothing; loading the module would be a sixth of its import.
    const { spawn } = await import("node:child_process");
    const child = spawn(file, args, {
      cwd,
      env,
      stdio: ["pipe", "pipe", stderr],
      detached: !isWindows,
      windowsHide: true,
      windowsVerbatimArguments: verbatim,
    });
    await new Promise<void>((done, fail) => {
      child.once("spawn", done);
      child.once("error", fail);
    });
    // A signal that cannot be sent is an error event too, and one nobody hears ends this process.
    child.on("error", () => undefined);
    if (hasPipes(child)) return child;
    throw new Error("its streams could not be opened");
  } catch (cause) {
    const code: unknown = Object(cause).code;
    const path = variable(env, "PATH");
    throw new LocalError("SPAWN_FAILED", `"${command}" could not be started: ${explain(program, code, path, cause)}`, {
      cause,
      details: { command, cwd, path, ...(code === undefined ? {} : { code }) },
    });
  }
}

function hasPipes(child: ChildProcess): child is Child {
  return child.stdin !== null && child.stdout !== null;
}

/** The operating system has one code for several mistakes; what is on the disk tells them apart. */
function explain({ command, cwd }: Program, code: unknown, path: string | undefined, cause: unknown): string {
  const folder = isFolder(cwd);
  if (!folder)
    return `the working directory "${cwd}" ${folder === undefined ? "does not exist" : "is not a directory"}`;
  const found = isFolder(resolve(cwd, command));
  if (code === "EACCES") {
    return found
      ? "it is a directory"
      : "permission denied; make it executable (chmod +x), or start its interpreter with the file as an argument";
  }
  if (code !== "ENOENT") return cause instanceof Error ? cause.message : String(cause);
  const [, ...words] = command.split(" ");
  if (found === undefined && words.length > 0) return `it holds arguments; put ${JSON.stringify(words)} into args`;
  if (!/[\\/]/.test(command)) {
    const where = path === undefined ? "and PATH is not set" : "on the PATH";
    return `there is no such command ${where}; give its full path, or set PATH in env`;
  }
  return found === undefined
    ? "there is no such file"
    : "the file exists, but the interpreter its first line names does not";
}

/** `undefined`: there is nothing of that name, or nothing that we may see. */
function isFolder(path: string): boolean | undefined {
  try {
    return statSync(path).isDirectory();
  } catch {
    return undefined;
  }
}
