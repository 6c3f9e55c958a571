import { LocalError } from "@parlance/jsonrpc";
import { callTool, createToolRegistry, listTools, type ToolRegistry, tool } from "@parlance/tool-registry";
import { afterEach, expect, test, vi } from "vitest";
import type { ServerEntry } from "./config/entry.js";
import { createHost, type Host } from "./host.js";
import type { HostOptions } from "./options.js";
import type { HostReport } from "./report.js";
import { gate, nearby, says, silent } from "./servers.fixture.js";

afterEach(() => void vi.useRealTimers());

interface Scene {
  readonly host: Host;
  readonly registry: ToolRegistry;
  readonly printed: string[];
  readonly reports: HostReport[];
  /** Resolves when a report of this kind has come since it was last asked for. */
  heard(kind: HostReport["kind"]): Promise<HostReport>;
}

function scene(options: HostOptions = {}): Scene {
  const registry = createToolRegistry();
  const [printed, reports]: [string[], HostReport[]] = [[], []];
  const unheard: HostReport[] = [];
  let wake = (): void => undefined;
  const host = createHost(registry, {
    ...options,
    print: (line) => printed.push(line),
    report: (report) => {
      reports.push(report);
      unheard.push(report);
      wake();
    },
  });
  async function heard(kind: HostReport["kind"]): Promise<HostReport> {
    for (;;) {
      const at = unheard.findIndex((report) => report.kind === kind);
      const [found] = at === -1 ? [] : unheard.splice(0, at + 1).slice(-1);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  return { host, registry, printed, reports, heard };
}

const names = (registry: ToolRegistry) => listTools(registry).map(({ name }) => name);
async function said(registry: ToolRegistry, name: string, args = {}): Promise<unknown> {
  const { content, isError } = await callTool(registry, name, args);
  const [block] = content;
  return `${isError === true ? "error: " : ""}${block?.type === "text" ? block.text : block?.type}`;
}

test("O-74: a second connect under an id is refused, an unknown one is no matter to disconnect, and closing is idempotent", async () => {
  const { host, registry } = scene();
  const git = nearby("git", ["log"]);
  await host.connect("git", git.entry);
  await expect(host.connect("git", git.entry)).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
    message: 'server "git" is connected already; disconnect it first, or use another id',
  });
  expect(await host.disconnect("nobody")).toBe(false);
  expect(await host.disconnect("git")).toBe(true);
  expect([await host.disconnect("git"), git.isRunning, names(registry)]).toEqual([false, false, []]);
  await host.connect("git", git.entry);
  await Promise.all([host.close(), host.close()]);
  await host.close();
  expect(git.isRunning).toBe(false);
  await expect(host.connect("git", git.entry)).rejects.toMatchObject({ code: "CLOSED" });
});

test("O-74: a connect that fails leaves nothing, and may be tried again", async () => {
  const { host, registry } = scene({ deadlineMs: 1 });
  await expect(host.connect("git", silent)).rejects.toMatchObject({ code: "TIMEOUT" });
  expect([host.server("git")?.state, names(registry)]).toEqual(["failed", []]);
  await host.connect("git", { ...nearby("git", ["log"]).entry, deadlineMs: 10_000 });
  expect(names(registry)).toEqual(["log"]);
  await host.close();
});

test("O-81: making a host connects nothing, and connecting serves nothing", async () => {
  const git = nearby("git", ["log"]);
  const { host } = scene();
  expect([git.starts, host.servers]).toEqual([0, []]);
  await host.close();
});

test("a server that is disconnected while it is connected is gone", async () => {
  const { host, reports } = scene();
  const connecting = expect(host.connect("mute", silent)).rejects.toMatchObject({ code: "CLOSED" });
  await host.disconnect("mute");
  await connecting;
  expect(host.servers).toEqual([]);
  expect(reports.map(({ kind }) => kind)).toEqual(["server_disconnected"]);
});

test("O-77: what happens to a server is told, each with its id", async () => {
  const { host, reports } = scene();
  await host.connect("git", nearby("git", ["log"]).entry);
  await host.close();
  expect(reports.map(({ kind, server }) => [kind, server])).toEqual([
    ["tool_registered", "git"],
    ["server_connected", "git"],
    ["tool_removed", "git"],
    ["server_disconnected", "git"],
  ]);
});

test.each(["stateless", "handshake"] as const)("a list of tools that changed is read again, %s", async (era) => {
  const { host, registry, heard } = scene();
  const git = nearby("git", ["log", "diff"]);
  await host.connect("git", { ...git.entry, era });
  git.tools.remove("diff");
  git.tools.add(says("blame", "git"));
  await heard("tool_removed");
  await vi.waitUntil(() => registry.get("blame") !== undefined);
  expect(names(registry)).toEqual(["blame", "log"]);
  expect(host.server("git")?.tools).toEqual(["log", "blame"]);
  await host.close();
});

test("a server that ends is started again; meanwhile a call says so at once, and calls in flight fail with the reason", async () => {
  const [{ host, registry, heard }, back] = [scene(), gate()];
  const never = tool({ name: "never", description: "Waits", run: () => new Promise<string>(() => undefined) });
  let starts = 0;
  const git = nearby("git", ["log", never], {}, { before: async () => void (starts++ === 0 || (await back.opened)) });
  await host.connect("git", git.entry);
  const waiting = said(registry, "never");
  expect(await said(registry, "log")).toBe("git");
  await git.crash();
  expect(await waiting).toBe('error: tool "never" failed: server "git" ended before it answered');
  expect(host.server("git")).toMatchObject({ state: "restarting", connected: false, tools: ["log", "never"] });
  expect(await said(registry, "log")).toBe(
    'error: tool "log" is unavailable: server "git" ended and is being started again; try later',
  );
  back.open();
  await heard("server_connected");
  await heard("server_connected");
  expect(await said(registry, "log")).toBe("git");
  await host.close();
});

test("it is started again up to a limit, later each time, and then given up", async () => {
  const { host, registry, heard, reports, printed } = scene();
  let starts = 0;
  const git = nearby(
    "git",
    ["log"],
    {},
    {
      before: async () => {
        if (starts++ > 0) throw new LocalError("SPAWN_FAILED", "the disk is gone");
      },
    },
  );
  await host.connect("git", { ...git.entry, restart: { maxTries: 3, delayMs: 1, maxDelayMs: 2 } });
  await git.crash();
  await heard("server_given_up");
  const waits = reports.flatMap((report) => (report.kind === "server_restarting" ? [report.delayMs] : []));
  expect([starts, waits]).toEqual([4, [0, 1, 2]]);
  expect(host.server("git")).toMatchObject({ state: "failed", tools: ["log"], error: { code: "SPAWN_FAILED" } });
  expect(await said(registry, "log")).toMatch(/is unavailable: server "git" ended and is not started again$/);
  expect(printed).toMatchObject([/^MCP server "git" ended and is not started again: the disk is gone; its tools/]);
  await expect(host.connect("git", git.entry)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  await host.close();
});

test("restart: false starts nothing again", async () => {
  const { host, heard } = scene();
  const git = nearby("git", ["log"]);
  await host.connect("git", { ...git.entry, restart: false });
  await git.crash();
  await heard("server_given_up");
  expect(git.starts).toBe(1);
  await host.close();
});

test("a lazy server runs while it is called, and a remembered one is not even started to be listed", async () => {
  const knownTools = new Map();
  const { host, registry, heard } = scene({ knownTools });
  const git = nearby("git", ["log"]);
  const entry: ServerEntry = { ...git.entry, lazy: true };
  await host.connect("git", entry);
  await heard("server_idle");
  expect([git.starts, host.server("git")?.state, names(registry)]).toEqual([1, "idle", ["log"]]);
  expect(await Promise.all([said(registry, "log"), said(registry, "log")])).toEqual(["git", "git"]);
  await heard("server_idle");
  expect([git.starts, git.isRunning]).toEqual([2, false]);
  await host.close();
  const next = scene({ knownTools });
  await next.host.connect("git", entry);
  expect([git.starts, next.host.server("git")?.state, names(next.registry)]).toEqual([2, "idle", ["log"]]);
  expect(await said(next.registry, "log")).toBe("git");
  expect(git.starts).toBe(3);
  await next.host.close();
  expect(git.isRunning).toBe(false);
});

test("a server that nobody calls is ended after a while, and started by the next call", async () => {
  vi.useFakeTimers();
  const { host, registry, heard } = scene();
  const [git, late] = [nearby("git", ["log"]), gate()];
  git.tools.add(tool({ name: "slow", description: "Takes long", run: () => late.opened.then(() => "done") }));
  await host.connect("git", { ...git.entry, idleMs: 60_000 });
  vi.advanceTimersByTime(59_000);
  const slow = said(registry, "slow");
  vi.advanceTimersByTime(59_000);
  expect(host.server("git")?.state).toBe("connected");
  late.open();
  expect(await slow).toBe("done");
  vi.advanceTimersByTime(60_000);
  await heard("server_idle");
  expect(await said(registry, "log")).toBe("git");
  expect(git.starts).toBe(2);
  await host.close();
});

test("an idle server that does not start says why, and the next call tries again", async () => {
  const { host, registry, heard } = scene();
  let starts = 0;
  const git = nearby(
    "git",
    ["log"],
    {},
    {
      before: async () => {
        if (starts++ === 1) throw new LocalError("SPAWN_FAILED", "no memory");
      },
    },
  );
  await host.connect("git", { ...git.entry, lazy: true });
  await heard("server_idle");
  expect(await said(registry, "log")).toBe('error: tool "log" failed: server "git" could not be asked');
  expect(await said(registry, "log")).toBe("git");
  await host.close();
});
