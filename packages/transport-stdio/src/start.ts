import type { ChildProcess, ChildProcessByStdio } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
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
  const { cwd, env, stderr } = program;
  try {
    const { file, args, verbatim } = settle(program);
    // A server has this package too and starts nothing; loading the module would be a sixth of its import.
    const { spawn } = await import("node:child_process");
    const child = spawn(file, args, {
      cwd,
      env,
      stdio: ["pipe", "pipe", stderr],
      detached: process.platform !== "win32",
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
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    const { command } = program;
    throw new LocalError("SPAWN_FAILED", `"${command}" could not be started: ${explain(program, code, cause)}`, {
      cause,
      details: { command, cwd, path: variable(env, "PATH"), ...(code === undefined ? {} : { code }) },
    });
  }
}

function hasPipes(child: ChildProcess): child is Child {
  return child.stdin !== null && child.stdout !== null;
}

function settle({ command, args, env, cwd }: Program): ReturnType<typeof resolveWindowsCommand> {
  if (process.platform !== "win32") return { file: command, args, verbatim: false };
  return resolveWindowsCommand({ command, args, env, cwd, isFile: (path) => kindOf(path) === "file" });
}

/** The operating system has one code for several mistakes; what is on the disk tells them apart. */
function explain({ command, cwd, env }: Program, code: unknown, cause: unknown): string {
  const fault = folderFault(cwd, code);
  if (fault !== undefined) return `the working directory "${cwd}" ${fault}`;
  const isPath = /[\\/]/.test(command);
  const kind = kindOf(resolve(cwd, command));
  const [, ...words] = command.split(" ");
  if (code === "ENOENT" && kind === "nothing" && words.length > 0) {
    return `it holds arguments; put ${JSON.stringify(words)} into args`;
  }
  if (code === "ENOENT" && !isPath) {
    const where = variable(env, "PATH") === undefined ? "and PATH is not set" : "on the PATH";
    return `there is no such command ${where}; give its full path, or set PATH in env`;
  }
  if (code === "ENOENT") {
    return kind === "nothing"
      ? "there is no such file"
      : "the file exists, but the interpreter its first line names does not";
  }
  if (code === "EACCES") {
    return kind === "directory"
      ? "it is a directory"
      : "permission denied; make it executable (chmod +x), or start its interpreter with the file as an argument";
  }
  return cause instanceof Error ? cause.message : String(cause);
}

function folderFault(cwd: string, code: unknown): string | undefined {
  const kind = kindOf(cwd);
  if (kind === "nothing") return "does not exist";
  if (kind === "file") return "is not a directory";
  return code === "EACCES" && !mayEnter(cwd) ? "may not be entered" : undefined;
}

function kindOf(path: string): "file" | "directory" | "nothing" | "unknown" {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return "nothing";
    return stats.isDirectory() ? "directory" : "file";
  } catch {
    return "unknown";
  }
}

function mayEnter(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
