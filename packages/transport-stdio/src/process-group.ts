import type { ChildProcess } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
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
export function createProcessGroup(child: ChildProcess): ProcessGroup {
  const { platform } = process;
  const { pid = 0 } = child;
  const runs = (): boolean => child.exitCode === null && child.signalCode === null;
  let extinct = pid === 0;
  const exited = new Promise<void>((resolve) => {
    if (runs()) child.once("exit", () => resolve());
    else resolve();
  });

  function alive(): boolean {
    if (extinct || runs()) return !extinct;
    // Once extinct, the number may belong to somebody else.
    extinct = platform === "win32" || !send(-pid, 0) || (platform === "linux" && onlyZombies(pid));
    return !extinct;
  }

  return {
    alive,
    signal(name) {
      if (!alive()) return;
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

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/**
 * Whether all that is left of a group waits to be reaped. Orphans are reaped by process 1, which in many containers never
 * does it, and signals reach them as if they lived.
 */
function onlyZombies(group: number): boolean {
  try {
    return !readdirSync("/proc").some((entry) => runsIn(group, entry));
  } catch {
    return false;
  }
}

function runsIn(group: number, entry: string): boolean {
  try {
    const stat = readFileSync(`/proc/${entry}/stat`, "latin1");
    // pid (name) state parent group …, and the name may contain anything.
    const [state = "", , itsGroup] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return Number(itsGroup) === group && !"ZX".includes(state);
  } catch {
    // not a process, or one that has just ended
    return false;
  }
}

/** Windows has no signal that a process could answer, so both steps end the tree at once. */
function endTree(pid: number): void {
  // Not by `import()`: when this process exits nothing waits for a promise.
  const { spawn } = process.getBuiltinModule("node:child_process");
  spawn("taskkill", ["/pid", String(pid), "/T", "/F"], { stdio: "ignore", windowsHide: true }).on(
    "error",
    () => undefined,
  );
}
