import type { ChildProcess } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { within } from "./within.js";

/** The signals that end a group. */
export type EndSignal = "SIGTERM" | "SIGKILL";

/** A child and all that it started. */
export interface ProcessGroup {
  signal(name: EndSignal): void;
  /** Waits until none of them runs any more, but no longer than `ms`. Says whether that came in time. */
  gone(ms: number): Promise<boolean>;
}

/** How often a group is looked at when its first process is gone and others remain: nothing tells when those end. */
const pollMs = 20;

/** Groups exist only where the child was started `detached` on POSIX; on Windows the tree is ended by taskkill. `signaled` hears each signal that was needed. */
export function createProcessGroup(child: ChildProcess, signaled: (name: EndSignal) => void): ProcessGroup {
  const isWindows = process.platform === "win32";
  // a started child has one; what is no number is nobody's
  const { pid = Number.NaN } = child;
  const exited = new Promise((resolve) => child.once("exit", resolve));
  let extinct = false;

  function runs(): boolean {
    const first = child.exitCode === null && child.signalCode === null;
    // Once extinct, the number may belong to somebody else.
    extinct ||= !first && (isWindows || !send(-pid, 0) || onlyZombies(pid));
    return !extinct;
  }

  return {
    signal(name) {
      if (!runs()) return;
      if (isWindows) endTree(pid);
      else send(-pid, name);
      signaled(name);
    },
    async gone(ms) {
      const deadline = performance.now() + ms;
      await within(ms, exited);
      while (runs()) {
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
  // pid (name) state parent group …
  const member = new RegExp(`\\) [^ZX] \\d+ ${group} `);
  const isMember = (entry: string): boolean => {
    try {
      return member.test(readFileSync(`/proc/${entry}/stat`, "latin1"));
    } catch {
      // no process, or one that has just ended
      return false;
    }
  };
  try {
    return !readdirSync("/proc").some(isMember);
  } catch {
    // not Linux
    return false;
  }
}

/** Windows has no signal that a process could answer, so both steps end the tree at once. */
function endTree(pid: number): void {
  // Not by `import()`: when this process exits nothing waits for a promise.
  const { spawn } = process.getBuiltinModule("node:child_process");
  spawn("taskkill", ["/pid", `${pid}`, "/T", "/F"], { stdio: "ignore", windowsHide: true }).on(
    "error",
    () => undefined,
  );
}
