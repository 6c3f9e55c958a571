import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { over } from "@parlance/jsonrpc";
import { describe, expect, test, vi } from "vitest";
import { createInbox } from "../fixtures/inbox.js";
import { gone, runs } from "../fixtures/processes.js";
import { defaultKillAfterMs, defaultTerminateAfterMs } from "./defaults.js";
import { type SpawnOptions, type StdioReport, spawn } from "./spawn.js";
import { terminate } from "./terminate.js";

vi.setConfig({ testTimeout: 30_000 });

function node(script: string, options: Partial<SpawnOptions> = {}): SpawnOptions {
  return { command: process.execPath, ...options, args: ["-e", script, ...(options.args ?? [])] };
}

/** Opens, reads the pids that the first frame names, closes; says which signals were needed. */
async function openAndClose(options: SpawnOptions): Promise<{ pids: number[]; signals: string[] }> {
  const signals: string[] = [];
  const report = (one: StdioReport): void => {
    if (one.kind === "signaled") signals.push(one.signal);
  };
  const inbox = createInbox();
  const channel = await spawn({ ...options, report })(inbox);
  const pids: number[] = JSON.parse((await inbox.received(1))[0] ?? "[]");
  await channel.close();
  expect(inbox.ends).toEqual([undefined]);
  return { pids, signals };
}

const sayPid = "console.log(JSON.stringify([process.pid]));";
const stay = "setInterval(() => {}, 1000);";
const deafToTerm = 'process.on("SIGTERM", () => {});';

describe("the steps", () => {
  test("LC-24, STD-18, BUG-16: a server that needs a while after its stdin ended is given it", async () => {
    const folder = mkdtempSync(join(tmpdir(), "parlance-end-"));
    const file = join(folder, "saved");
    const save = `${sayPid} process.stdin.resume().on("end", () => setTimeout(() => require("fs").writeFileSync(process.argv[1], "all"), 500))`;
    try {
      const { pids, signals } = await openAndClose(node(save, { args: [file], terminateAfterMs: 20_000 }));
      expect([readFileSync(file, "utf8"), signals, pids.filter(runs)]).toEqual(["all", [], []]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("LC-24, STD-18: a server that ignores the end of its stdin gets SIGTERM", async () => {
    const { pids, signals } = await openAndClose(node(`${sayPid} ${stay}`, { terminateAfterMs: 20 }));
    expect([signals, pids.filter(runs)]).toEqual([["SIGTERM"], []]);
  });

  test("LC-24, STD-18: a server that ignores SIGTERM too gets SIGKILL", async () => {
    const script = `${deafToTerm} ${sayPid} ${stay}`;
    const { pids, signals } = await openAndClose(node(script, { terminateAfterMs: 20, killAfterMs: 20 }));
    expect([signals, pids.filter(runs)]).toEqual([["SIGTERM", "SIGKILL"], []]);
  });

  test("LC-24: a server has as long as it takes where terminateAfterMs is Infinity", async () => {
    const slow = `${sayPid} process.stdin.resume().on("end", () => setTimeout(() => {}, 200))`;
    const { pids, signals } = await openAndClose(node(slow, { terminateAfterMs: Number.POSITIVE_INFINITY }));
    expect([signals, pids.filter(runs)]).toEqual([[], []]);
  });

  test("LC-24, BUG-16: each signal comes only after its time, and none once the group is gone", async () => {
    const asked: unknown[] = [];
    const answers = [false, false, true];
    const group = {
      signal: (name: string) => void asked.push(name),
      gone: async (ms: number) => {
        asked.push(ms);
        return answers.shift() ?? true;
      },
    };
    await terminate(group, defaultTerminateAfterMs, defaultKillAfterMs);
    expect(asked).toEqual([2_000, "SIGTERM", 2_000, "SIGKILL", 1_000]);
    asked.length = 0;
    await terminate(group, defaultTerminateAfterMs, defaultKillAfterMs);
    expect(asked).toEqual([2_000]);
  });
});

describe("the whole tree", () => {
  test("STD-18: a server behind a shell is gone with it", async () => {
    const inner = `${sayPid} ${stay}`;
    const shell: SpawnOptions = { command: "sh", args: ["-c", `"$0" -e "$1"; exit $?`, process.execPath, inner] };
    const { pids, signals } = await openAndClose({ ...shell, terminateAfterMs: 20 });
    expect([signals, pids.filter(runs)]).toEqual([["SIGTERM"], []]);
  });

  test("STD-18: grandchildren that outlive their parent and ignore SIGTERM are ended too", async () => {
    const inner = `${deafToTerm} ${stay} process.send?.("ready")`;
    const script = `
      const child = require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(inner)}], { stdio: ["ignore", "ignore", "ignore", "ipc"] });
      child.on("message", () => { child.disconnect(); child.unref(); console.log(JSON.stringify([process.pid, child.pid])) });
      process.stdin.resume().on("end", () => process.exit(0));`;
    const { pids, signals } = await openAndClose(node(script, { terminateAfterMs: 20, killAfterMs: 20 }));
    await gone(...pids);
    expect([pids.length, signals]).toEqual([2, ["SIGTERM", "SIGKILL"]]);
  });

  test("STD-18: what a crashed server left behind is ended as well", async () => {
    const script = `
      const child = require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(stay)}], { stdio: "ignore" });
      console.log(JSON.stringify([process.pid, child.pid]));
      process.stdin.once("data", () => process.kill(process.pid, "SIGKILL"));`;
    const inbox = createInbox();
    const channel = await spawn(node(script, { terminateAfterMs: 20 }))(inbox);
    const pids: number[] = JSON.parse((await inbox.received(1))[0] ?? "[]");
    void channel.send("{}");
    expect(await inbox.closing).toMatchObject({ details: { signal: "SIGKILL" } });
    await channel.close();
    await gone(...pids);
  });
});

describe("at any moment", () => {
  test("LC-24: a server that never answered the first request can be closed", async () => {
    const pids: number[] = [];
    const report = (one: StdioReport): void => {
      if (one.kind === "stderr") pids.push(Number(one.line));
    };
    const script = `console.error(process.pid); process.stdin.resume(); ${stay}`;
    const peer = await over(spawn(node(script, { terminateAfterMs: 20, report })))({ request: () => ({}) });
    const pending = peer.request("initialize", {}).catch((error: unknown) => error);
    await vi.waitUntil(() => pids.length === 1, { timeout: 20_000, interval: 5 });
    await peer.close();
    expect(await pending).toMatchObject({ code: "CLOSED" });
    expect(pids.filter(runs)).toEqual([]);
  });

  test("STD-18: a child that is closed as soon as it was started is gone", async () => {
    const inbox = createInbox();
    const channel = await spawn(node(stay, { terminateAfterMs: 0 }))(inbox);
    await channel.close();
    expect(inbox.ends).toEqual([undefined]);
  });

  test.each([
    ["before it read anything", "process.kill(process.pid, 'SIGKILL')"],
    ["in the middle of a frame", `process.stdout.write('{"half', () => process.kill(process.pid, "SIGKILL"))`],
    ["after a frame", `process.stdout.write("{}\\n", () => process.kill(process.pid, "SIGKILL"))`],
    ["while it is written to", `process.stdin.once("data", () => process.kill(process.pid, "SIGKILL"))`],
    ["while its stdin is ending", `process.stdin.resume().on("end", () => process.kill(process.pid, "SIGKILL"))`],
  ])("BUG-18, BUG-19: a child killed %s closes the connection once", async (_when, script) => {
    const inbox = createInbox();
    const channel = await spawn(node(script))(inbox);
    const sending = Promise.resolve(channel.send("x".repeat(500_000))).catch(() => undefined);
    if (script.includes('"end"')) void channel.close();
    await inbox.closing;
    await Promise.all([sending, channel.close()]);
    expect(inbox.ends).toHaveLength(1);
  });

  test("BUG-29: close from inside closed, and twice at once, ends the child once", async () => {
    const inbox = createInbox();
    const channel = await spawn(node(`${sayPid} process.stdin.resume()`))({
      ...inbox,
      closed: (cause) => {
        inbox.closed(cause);
        void channel.close();
      },
    });
    await Promise.all([channel.close(), channel.close()]);
    expect(inbox.ends).toEqual([undefined]);
  });

  test("nothing is left of many connections: no listener, no timer, no pipe", async () => {
    const resources = (): number => process.getActiveResourcesInfo().filter((name) => /Pipe|Process/.test(name)).length;
    const listeners = (): readonly number[] =>
      ["SIGINT", "SIGTERM", "SIGHUP", "exit"].map((name) => process.listenerCount(name));
    const before = { resources: resources(), listeners: listeners() };
    const warnings: unknown[] = [];
    const warn = (warning: Error): void => void warnings.push(warning);
    process.on("warning", warn);
    await Promise.all(Array.from({ length: 15 }, () => openAndClose(node(`${sayPid} process.stdin.resume()`))));
    process.off("warning", warn);
    expect(warnings).toEqual([]);
    expect(listeners()).toEqual(before.listeners);
    await vi.waitUntil(() => resources() <= before.resources, { timeout: 20_000, interval: 5 });
  });
});
