import { existsSync, readdirSync } from "node:fs";
import { setImmediate as turn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** How much this process holds, of everything that a connection could leave behind. */
type Census = Readonly<Record<string, number>>;

const patienceMs = 5_000;

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

/**
 * Runs something and resolves when this process holds no more than before: handles, descriptors, children, listeners.
 * @throws Error that says what is left
 */
export async function leavesNothing<T>(act: () => Promise<T>): Promise<T> {
  const before = take();
  const result = await act();
  const lastMs = performance.now() + patienceMs;
  for (;;) {
    const left = compare(before, take());
    if (left.length === 0) return result;
    if (performance.now() > lastMs) throw new Error(`left behind: ${left.join(", ")}`);
    await turn();
  }
}

/** The heap in use after everything that nobody refers to is gone, in bytes. */
export function heapBytes(): number {
  collect();
  return process.memoryUsage().heapUsed + process.memoryUsage().external;
}

function take(): Census {
  const census: Record<string, number> = {};
  for (const resource of process.getActiveResourcesInfo()) census[resource] = (census[resource] ?? 0) + 1;
  census["process listeners"] = process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);
  if (existsSync("/proc/self/fd")) census["descriptors"] = readdirSync("/proc/self/fd").length;
  // turns come and go by themselves
  delete census["Immediate"];
  return census;
}

function compare(before: Census, after: Census): readonly string[] {
  return Object.entries(after).flatMap(([name, count]) =>
    count > (before[name] ?? 0) ? [`${count - (before[name] ?? 0)} ${name}`] : [],
  );
}
