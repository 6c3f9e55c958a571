import { callTool, createToolRegistry, listTools, remoteTool, type ToolRegistry } from "@parlance/tool-registry";
import { afterEach, expect, test, vi } from "vitest";
import { createHost, type Host } from "./host.js";
import type { HostOptions } from "./options.js";
import { gate, nearby, says } from "./servers.fixture.js";
import { startServers } from "./start.js";

afterEach(() => void vi.useRealTimers());

interface Scene {
  readonly host: Host;
  readonly registry: ToolRegistry;
  readonly printed: string[];
}

function scene(options: HostOptions = {}): Scene {
  const registry = createToolRegistry();
  const printed: string[] = [];
  return { registry, printed, host: createHost(registry, { print: (line) => printed.push(line), ...options }) };
}

const names = (registry: ToolRegistry) => listTools(registry).map(({ name }) => name);

/** A server whose list of tools is what `list` says, whatever that is. */
function listing(list: () => readonly unknown[]) {
  return nearby(
    "odd",
    ["kept"],
    {},
    {
      middleware: [
        (next) => (call) =>
          call.method === "tools/list" ? { type: "complete", result: { tools: [...list()] } as never } : next(call),
      ],
    },
  );
}

test("a list with entries that are no tools costs those, each with a line and once, and not the others", async () => {
  vi.useFakeTimers();
  const { host, registry, printed } = scene();
  const fine = { name: "kept", inputSchema: { type: "object" } };
  const server = listing(() => [{ name: "bare" }, fine, null, { name: "text", inputSchema: "object" }]);
  await host.connect("odd", server.entry);
  expect(names(registry)).toEqual(["kept"]);
  const [bare, , text] = ["bare", "", "text"].map(
    (name) => `the tool "${name}" of MCP server "odd" was not registered: it has no name or no inputSchema`,
  );
  expect(printed).toEqual(expect.arrayContaining([bare, text]));
  expect(host.server("odd")?.refused).toContainEqual({ name: "bare", why: "invalid" });
  const lines = printed.length;
  server.tools.add(says("more", "more"));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(printed).toHaveLength(lines);
  await host.close();
});

test("a server whose tools change all the time is asked for them now and then, and not all the time", async () => {
  vi.useFakeTimers();
  const { host } = scene();
  let lists = 0;
  const server = listing(() => {
    lists++;
    return [{ name: "kept", inputSchema: { type: "object" } }];
  });
  await host.connect("odd", server.entry);
  for (let round = 0; round < 1_000; round++) {
    server.tools.add(says(`tool${round}`, "x"));
    await vi.advanceTimersByTimeAsync(1);
  }
  expect(lists).toBeGreaterThan(5);
  expect(lists).toBeLessThan(15);
  await host.close();
});

test("a server that gives two of its tools one name by its settings keeps the first, however often it lists them", async () => {
  vi.useFakeTimers();
  const { host, registry, printed } = scene();
  const server = nearby("git", ["diff", "log"], { rename: { log: "diff" } });
  await host.connect("git", server.entry);
  server.tools.add(says("show", "git"));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(names(registry)).toEqual(["diff", "show"]);
  expect(host.server("git")?.refused).toEqual([{ name: "diff", why: "taken" }]);
  expect(printed).toHaveLength(1);
  await host.close();
});

test("a name that was refused is not among the refused ones when it is not offered any more", async () => {
  vi.useFakeTimers();
  const { host } = scene();
  const [a, b] = [nearby("a", ["search"]), nearby("b", ["search", "find"])];
  await host.connect("a", a.entry);
  await host.connect("b", b.entry);
  expect(host.server("b")?.refused).toEqual([{ name: "search", why: "taken" }]);
  b.tools.remove("search");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(host.server("b")).toMatchObject({ tools: ["find"], refused: [] });
  await host.close();
});

test("a refused name is not passed on when its holder is disconnected, and is there when its server is connected anew", async () => {
  const { host, registry } = scene();
  const [a, b] = [nearby("a", ["search"]), nearby("b", ["search", "find"])];
  await host.connect("a", a.entry);
  await host.connect("b", b.entry);
  await host.disconnect("a");
  expect(names(registry)).toEqual(["find"]);
  await host.disconnect("b");
  await host.connect("b", b.entry);
  expect(names(registry)).toEqual(["find", "search"]);
  await host.close();
});

test.each(["tool_changed", "tool_registered"] as const)(
  "a server that is disconnected by whoever hears of %s leaves no tool behind",
  async (kind) => {
    const fingerprints = new Map([['["git","log"]', "another"]]);
    const registry = createToolRegistry();
    const host = createHost(registry, {
      fingerprints,
      print: () => undefined,
      report: (report) => {
        if (report.kind === kind) void host.disconnect(report.server);
      },
    });
    const git = nearby("git", ["diff", "log", "show"]);
    await host.connect("git", git.entry).catch(() => undefined);
    await host.close();
    expect(host.servers).toEqual([]);
    expect(names(registry)).toEqual([]);
    expect(git.isRunning).toBe(false);
  },
);

test("a changed tool that is refused is told once, and again when it changed again", async () => {
  vi.useFakeTimers();
  const { host, registry, printed } = scene();
  const server = nearby("git", ["log"], { changedTools: "refuse" });
  await host.connect("git", server.entry);
  for (const description of ["evil", "evil", "worse"]) {
    server.tools.remove("log");
    server.tools.add(
      remoteTool({ name: "log", description, inputSchema: { type: "object" } }, () => ({ content: [] })),
    );
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(names(registry)).toEqual([]);
  expect(printed).toHaveLength(2);
  await host.close();
});

test("a call that waits for an approval ends when its server is disconnected", async () => {
  const asked = gate();
  const { host, registry } = scene({
    approve: () => {
      asked.open();
      return new Promise(() => undefined);
    },
  });
  await host.connect("git", nearby("git", ["log"]).entry);
  const call = callTool(registry, "log");
  await asked.opened;
  await host.close();
  expect(await call).toEqual({
    content: [{ type: "text", text: 'tool "log" is unavailable: server "git" was disconnected' }],
    isError: true,
  });
});

test("closing waits for servers that are being disconnected already", async () => {
  const { host } = scene();
  const [closing, closed] = [gate(), gate()];
  const git = nearby("git", ["log"]);
  await host.connect("git", {
    dial: async (handler, report) => {
      const peer = await git.entry.dial(handler, report);
      const close = async (): Promise<void> => {
        closing.open();
        await closed.opened;
        await peer.close();
      };
      return { ...peer, close };
    },
  });
  void host.disconnect("git");
  await closing.opened;
  let isClosed = false;
  const all = host.close().then(() => {
    isClosed = true;
  });
  await new Promise(setImmediate);
  expect(isClosed).toBe(false);
  closed.open();
  await all;
});

test("what is wrong with the way to a server costs a line too, and has a status", async () => {
  const printed: string[] = [];
  const headers = { "bad name": "hunter22" };
  const config = { servers: { web: { url: "http://127.0.0.1:1/", headers }, git: nearby("git", ["log"]).entry } };
  const host = await startServers(config, createToolRegistry(), { print: (line) => printed.push(line) });
  expect(host.servers).toMatchObject([
    { id: "web", state: "failed", error: { code: "INVALID_ARGUMENT" } },
    { id: "git", state: "connected" },
  ]);
  expect(printed).toMatchObject([/^MCP server "web" could not be connected: headers must give/]);
  expect(printed.join()).not.toContain("hunter22");
  await host.close();
});

test("limits that are none are refused, and one without end is as long as a timer can be", async () => {
  const start = (options: object) =>
    startServers({ servers: { git: nearby("git", ["log"]).entry } }, createToolRegistry(), options);
  for (const wrong of [
    { maxParallel: 0 },
    { maxParallel: Number.NaN },
    { deadlineMs: -1 },
    { deadlineMs: Number.NaN },
  ]) {
    await expect(start(wrong)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  }
  const host = await start({ deadlineMs: Number.POSITIVE_INFINITY });
  expect(host.server("git")?.state).toBe("connected");
  await host.close();
});

test("what was approved is what was shown: a tool that changes while it is asked for does not run", async () => {
  vi.useFakeTimers();
  const [asked, answered] = [gate(), gate()];
  const { host, registry } = scene({
    approve: async () => {
      asked.open();
      await answered.opened;
      return true;
    },
  });
  const server = nearby("git", ["log"]);
  await host.connect("git", server.entry);
  const call = callTool(registry, "log");
  await asked.opened;
  server.tools.remove("log");
  server.tools.add(says("log", "something else"));
  await vi.advanceTimersByTimeAsync(1_000);
  answered.open();
  expect(await call).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("not as it was") }] });
  expect(await callTool(registry, "log")).toMatchObject({ content: [{ text: "something else" }] });
  await host.close();
});
