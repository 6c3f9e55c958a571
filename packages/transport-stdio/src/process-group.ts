import { type ChildProcess, spawn } from "node:child_process";
import { within } from "./within.js";

/** A child and all that it started. */
export interface ProcessGroup {
  /** Whether any of them still runs. */
  alive(): boolean;
  signal(name: NodeJS.Signals): void;
  /** Waits until none of them runs any more, but no longer than `ms`. Says whether that came in time. */
  gone(ms: number): Promise<boolean>;
}

/** How often a group is looked at when its first process is gone and others remain: nothing tells when those end. */
const pollMs = 20;

/** Groups exist only where the child was started `detached` on POSIX; on Windows the tree is ended by taskkill. */
export function createProcessGroup(child: ChildProcess, platform: NodeJS.Platform = process.platform): ProcessGroup {
  const pid = child.pid;
  let extinct = pid === undefined;
  const exited = new Promise<void>((resolve) => {
    if (hasExited(child)) resolve();
    else child.once("exit", () => resolve());
  });

  function alive(): boolean {
    if (extinct || pid === undefined) return false;
    if (!hasExited(child)) return true;
    // Once extinct, the number may belong to somebody else.
    extinct = platform === "win32" || !send(-pid, 0);
    return !extinct;
  }

  return {
    alive,
    signal(name) {
      if (pid === undefined || !alive()) return;
      if (platform === "win32") endTree(pid);
      else send(-pid, name);
    },
    async gone(ms) {
      const deadline = performance.now() + ms;
      if (!(await within(ms, exited))) return false;
      while (alive()) {
        if (performance.now() >= deadline) return false;
        await new Promise((resolve) => setTimeout(resolve, pollMs));
      }
      return true;
    },
  };
}

function hasExited(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** Windows has no signal that a process could answer, so both steps end the tree at once. */
function endTree(pid: number): void {
  spawn("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore", windowsHide: true }).on(
    "error",
    () => undefined,
  );
}
