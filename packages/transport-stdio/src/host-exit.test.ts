import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { bundle } from "../fixtures/bundle.js";
import { gone, runs } from "../fixtures/processes.js";
import type { SpawnOptions } from "./spawn.js";

vi.setConfig({ testTimeout: 30_000 });

let host: ReturnType<typeof bundle>;
let echo: ReturnType<typeof bundle>;
beforeAll(() => {
  host = bundle("host");
  echo = bundle("echo");
});
afterAll(() => {
  host.remove();
  echo.remove();
});

const started: number[] = [];
afterEach(() => {
  for (const pid of started.splice(0)) if (runs(pid)) process.kill(pid, "SIGKILL");
});

const sayPid = "console.log(process.pid);";
const stay = "setInterval(() => {}, 1000);";
const deaf = 'process.on("SIGTERM", () => {});';

function server(script: string): SpawnOptions {
  return { command: process.execPath, args: ["-e", script], terminateAfterMs: 50, killAfterMs: 50 };
}

/** Runs a host with its servers and waits until each has said its process id. */
async function runHost(
  servers: readonly SpawnOptions[],
  then = "stay",
  copies: readonly string[] = [],
): Promise<{ child: ChildProcessWithoutNullStreams; pids: number[]; out: () => string; exit: Promise<unknown> }> {
  const imports = copies.flatMap((copy) => ["--import", copy]);
  const child = spawn(process.execPath, [...imports, host.file, JSON.stringify({ servers, then })]);
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.resume();
  const exit = once(child, "exit");
  const pids = (): number[] => (out.match(/^\d+$/gm) ?? []).map(Number);
  await vi.waitUntil(() => pids().length === servers.length * (1 + copies.length), { timeout: 20_000, interval: 5 });
  started.push(child.pid ?? 0, ...pids());
  return { child, pids: pids(), out: () => out, exit };
}

describe("a host that is told to end", () => {
  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "STD-18: %s ends its servers, and then the host",
    async (signal) => {
      const { child, pids, exit } = await runHost([
        server(`${sayPid} process.stdin.resume()`),
        server(`${deaf} ${sayPid} ${stay}`),
      ]);
      child.kill(signal);
      expect(await exit).toEqual([null, signal]);
      await gone(...pids);
    },
  );

  test("STD-18: a second signal does not wait for anybody", async () => {
    const stubborn = { ...server(`${deaf} ${sayPid} ${stay}`), terminateAfterMs: 600_000 };
    const { child, pids, exit } = await runHost([stubborn]);
    child.kill("SIGINT");
    const again = setInterval(() => child.kill("SIGINT"), 50);
    expect(await exit).toEqual([null, "SIGINT"]);
    clearInterval(again);
    await gone(...pids);
  });

  test("STD-18: a listener that acts only when it is alone is waited for by nobody", async () => {
    const { child, pids, out, exit } = await runHost([server(`${sayPid} process.stdin.resume()`)], "yield");
    child.kill("SIGTERM");
    expect(await exit).toEqual([null, "SIGTERM"]);
    expect(out()).toContain("alone");
    await gone(...pids);
  });

  test("STD-18: of two copies of the package in one host each ends its servers", async () => {
    const copy = bundle("host");
    const { child, pids, exit } = await runHost([server(`${sayPid} ${stay}`)], "stay", [copy.file]);
    child.kill("SIGTERM");
    expect(await exit).toEqual([null, "SIGTERM"]);
    copy.remove();
    await gone(...pids);
  });

  test("STD-18, BUG-16: a copy that is done first does not cut short the time of the other's servers", async () => {
    const copy = bundle("host");
    const folder = mkdtempSync(join(tmpdir(), "parlance-copies-"));
    const [first, last] = [join(folder, "first"), join(folder, "last")].map((path) => JSON.stringify(path));
    const write = `setTimeout(() => { fs.mkdirSync(${last}); process.exit(); }, 200)`;
    const end = `try { fs.mkdirSync(${first}); process.exit(); } catch { ${write}; }`;
    const slow = {
      ...server(`${sayPid} process.stdin.resume().on("end", () => { ${end} });`),
      terminateAfterMs: 10_000,
    };
    const { child, exit } = await runHost([slow], "stay", [copy.file]);
    child.kill("SIGTERM");
    expect(await exit).toEqual([null, "SIGTERM"]);
    expect(existsSync(join(folder, "last"))).toBe(true);
    copy.remove();
    rmSync(folder, { recursive: true });
  });

  test("a host that handles the signal itself decides, and its servers live on", async () => {
    const { child, pids, out } = await runHost([server(`${sayPid} process.stdin.resume()`)], "listen");
    child.kill("SIGTERM");
    await vi.waitUntil(() => out().includes("the host's own handler"), { timeout: 20_000, interval: 5 });
    expect(pids.map(runs)).toEqual([true]);
    child.kill("SIGKILL");
    await gone(...pids);
  });
});

describe("a host that ends without asking", () => {
  test.each([
    ["process.exit", "exit", 3],
    ["an uncaught error", "throw", 1],
  ])("STD-18: %s sends SIGTERM to servers that would not end by themselves", async (_what, then, code) => {
    const { pids, exit } = await runHost([server(`${sayPid} ${stay}`)], then);
    expect(await exit).toEqual([code, null]);
    await gone(...pids);
  });

  test("STD-19, BUG-14: after kill -9 of the host its Parlance servers end by themselves", async () => {
    const seen = `require("fs").writeSync(1, process.pid + "\\n");`;
    const busy = `setInterval(() => undefined, 1_000); ${seen} import(${JSON.stringify(echo.file)})`;
    const { child, pids, exit } = await runHost([server(busy)]);
    child.kill("SIGKILL");
    expect(await exit).toEqual([null, "SIGKILL"]);
    await gone(...pids);
  });
});
