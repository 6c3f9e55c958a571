import { existsSync, readdirSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

const patienceMs = 5_000;

/** A variable that marks a process and all that it starts. */
export const markName = "PARLANCE_INTEROP_MARK";
/** Only where the system shows the environment of processes can those that are left be found. */
export const canSeeProcesses: boolean = existsSync("/proc/self/environ");

/** Resolves with the processes that still run with this mark, when there are none or patience is over. */
export async function leftover(mark: string): Promise<readonly string[]> {
  const lastMs = performance.now() + patienceMs;
  for (;;) {
    const left = marked(mark);
    if (left.length === 0 || performance.now() > lastMs) return left;
    await wait(20);
  }
}

function marked(mark: string): readonly string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => read(pid, "environ").includes(`${markName}=${mark}\0`))
    .map((pid) => `${pid} ${read(pid, "cmdline").replaceAll("\0", " ").trim()}`);
}

/** One that has ended in the meantime, or waits to be reaped, has an empty environment. */
function read(pid: string, file: "environ" | "cmdline"): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
