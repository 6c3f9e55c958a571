// Starts the programs that are measured, and ends them with the bench.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";

const meter = new URL("meter.mjs", import.meta.url).href;
const running = new Set();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

/** A profile of each child is written there when it ends. */
const profiles = process.env.BENCH_PROFILES;

/** Starts a program as anyone would. @returns its pipes, `exited`, `stop()` and the memory it has */
export function start(file, args = []) {
  const { child, exited, stop } = launch([file, ...args], {}, []);
  return { stdin: child.stdin, stdout: child.stdout, exited, stop, residentBytes: () => residentBytes(child.pid) };
}

/**
 * Starts a program that can be asked.
 * @returns also `cpuMicros()`: what the system accounts to all its threads so far; `heapBytes()`: what it holds; `said()` and `ask(message)` for
 * programs that say and answer something else; and `end(message)` for those that end by themselves when told
 */
export function startMetered(file, args = [], env = {}) {
  const flags = ["--import", meter];
  if (profiles !== undefined) flags.push("--cpu-prof", `--cpu-prof-dir=${profiles}`);
  const { child, exited, stop } = launch([...flags, file, ...args], env, ["ipc"]);

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

  return {
    stdin: child.stdin,
    stdout: child.stdout,
    exited,
    said,
    ask,
    cpuMicros: () => ask("usage"),
    heapBytes: () => ask("heap"),
    end,
    stop: () => (profiles === undefined ? stop() : end("end")),
  };
}

function launch(args, env, channels) {
  const child = spawn(process.execPath, args, {
    stdio: ["pipe", "pipe", process.env.BENCH_DEBUG ? "inherit" : "ignore", ...channels],
    env: { ...process.env, NODE_ENV: "production", ...env },
  });
  running.add(child);
  child.once("exit", () => running.delete(child));
  // what could not be written shows as an answer that does not come
  child.stdin.on("error", () => {});

  const exited = once(child, "exit");
  return {
    child,
    exited,
    stop: async () => {
      if (!running.has(child)) return;
      child.kill("SIGKILL");
      await exited;
    },
  };
}

function residentBytes(pid) {
  const status = `/proc/${pid}/status`;
  const kibibytes = existsSync(status)
    ? /VmRSS:\s+(\d+)/.exec(readFileSync(status, "utf8"))?.[1]
    : execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" });
  return Number(kibibytes) * 1024;
}
