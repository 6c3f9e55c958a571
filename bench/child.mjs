// Starts the programs that are measured, and ends them with the bench.
import { spawn } from "node:child_process";
import { once } from "node:events";

const meter = new URL("meter.mjs", import.meta.url).href;
const running = new Set();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

/** A profile of each child is written there when it ends. */
const profiles = process.env.BENCH_PROFILES;

/**
 * @returns the process, with `usage()`: the CPU time of all its threads so far and its resident memory, as the system
 * accounts them; `said()` and `ask(message)` for programs that say and answer something else; `end(message)` for those
 * that end by themselves when told; and `stop()`
 */
export function start(file, args = [], env = {}) {
  const flags = ["--import", meter];
  if (profiles !== undefined) flags.push("--cpu-prof", `--cpu-prof-dir=${profiles}`);
  const child = spawn(process.execPath, [...flags, file, ...args], {
    stdio: ["pipe", "pipe", process.env.BENCH_DEBUG ? "inherit" : "ignore", "ipc"],
    env: { ...process.env, NODE_ENV: "production", ...env },
  });
  running.add(child);
  child.once("exit", () => running.delete(child));
  // what could not be written shows as an answer that does not come
  child.stdin.on("error", () => {});

  const exited = once(child, "exit");

  /** The next message. */
  async function said() {
    const ended = exited.then(([code, signal]) => {
      throw new Error(`${[file, ...args].join(" ")} ended with ${code ?? signal} before it answered`);
    });
    const [message] = await Promise.race([once(child, "message"), ended]);
    return message;
  }

  function ask(message) {
    child.send(message);
    return said();
  }

  async function end(message) {
    child.send(message);
    await exited;
  }

  async function stop() {
    if (!running.has(child)) return;
    if (profiles !== undefined) return end("end");
    child.kill("SIGKILL");
    await exited;
  }

  return { stdin: child.stdin, stdout: child.stdout, exited, said, ask, usage: () => ask("usage"), end, stop };
}
