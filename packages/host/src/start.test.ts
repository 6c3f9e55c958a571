import { callTool, createToolRegistry, listTools, type ToolRegistry } from "@parlance/tool-registry";
import { expect, test } from "vitest";
import type { ServerEntry } from "./config/entry.js";
import type { Host } from "./host.js";
import type { StartOptions } from "./options.js";
import { gate, nearby, says, silent } from "./servers.fixture.js";
import { startServers } from "./start.js";

interface Step {
  readonly host: Host;
  readonly registry: ToolRegistry;
  readonly printed: readonly string[];
}

async function start(
  servers: Readonly<Record<string, ServerEntry>>,
  options: StartOptions = {},
  registry: ToolRegistry = createToolRegistry(),
): Promise<Step> {
  const printed: string[] = [];
  const host = await startServers({ servers }, registry, { print: (line) => printed.push(line), ...options });
  return { host, registry, printed };
}

const names = (registry: ToolRegistry) => listTools(registry).map(({ name }) => name);
const text = async (registry: ToolRegistry, name: string) => (await callTool(registry, name)).content;

test("O-70: tools come into the registry under their own names, and are called there", async () => {
  const { host, registry, printed } = await start({
    git: nearby("git", ["log"]).entry,
    web: nearby("web", ["get"]).entry,
  });
  expect(names(registry)).toEqual(["get", "log"]);
  expect(await text(registry, "log")).toEqual([{ type: "text", text: "git" }]);
  expect(printed).toEqual([]);
  await host.close();
  expect(names(registry)).toEqual([]);
});

test("O-76: the status of a server is live: its id, era, revision, capabilities, tools and refused names", async () => {
  const [git, web] = [nearby("git", ["log", "get"]), nearby("web", ["get"])];
  const { host } = await start({ git: git.entry, web: { ...web.entry, era: "handshake" } });
  expect(host.servers).toMatchObject([
    { id: "git", state: "connected", connected: true, era: "stateless", tools: ["get", "log"], refused: [] },
    { id: "web", connected: true, era: "handshake", tools: [], refused: [{ name: "get", why: "taken" }] },
  ]);
  expect(host.server("git")).toMatchObject({ info: { name: "git" }, capabilities: { tools: {} }, revision: /./ });
  expect(host.server("git")?.connectMs).toBeGreaterThanOrEqual(0);
  await host.close();
  expect(host.server("git")).toBeUndefined();
});

test("O-83: nothing is done when there is nothing to do", async () => {
  const git = nearby("git", ["log"]);
  const host = await startServers({ enabled: false, servers: { git: git.entry } }, createToolRegistry());
  expect([host.servers, git.starts]).toEqual([[], 0]);
});

test("O-83, BUG-114: each server has a deadline of its own; one that is late costs a line and no other server", async () => {
  const registry = createToolRegistry();
  const usable: unknown[] = [];
  const { host, printed } = await start(
    { mute: silent, missing: { command: "no-such-program" }, git: nearby("git", ["log"]).entry },
    {
      deadlineMs: 200,
      onReady: async ({ id, connected }) => {
        if (connected) usable.push(id, await text(registry, "log"));
      },
    },
    registry,
  );
  expect(usable).toEqual(["git", [{ type: "text", text: "git" }]]);
  expect(printed).toEqual([
    'MCP server "missing" could not be connected: "no-such-program" could not be started: there is no such program; check its path, or PATH in env, and put arguments into args; its tools are absent from this run',
    'MCP server "mute" could not be connected: no answer within 0.2 s; its tools are absent from this run',
  ]);
  expect(host.servers).toMatchObject([
    { id: "mute", state: "failed", connected: false, error: { code: "TIMEOUT" } },
    { id: "missing", error: { code: "SPAWN_FAILED" } },
    { id: "git", connected: true },
  ]);
  await host.close();
});

test("a configuration without the key of its servers is refused, as is what findConfig found around it", async () => {
  for (const config of [{}, { path: "parlance.json", config: { servers: {} } }]) {
    const starting = startServers(config as never, createToolRegistry());
    await expect(starting).rejects.toThrow('neither the key "servers" nor "mcpServers"');
  }
});

test("all are started at once, unless an option bounds it", async () => {
  const all = gate();
  let started = 0;
  const before = async (): Promise<void> => {
    started++;
    if (started === 3) all.open();
    await all.opened;
  };
  const three = () => ({
    a: nearby("a", ["a"], {}, { before }).entry,
    b: nearby("b", ["b"], {}, { before }).entry,
    c: nearby("c", ["c"], {}, { before }).entry,
  });
  const together = await start(three());
  expect(together.host.servers.every(({ connected }) => connected)).toBe(true);
  await together.host.close();
  started = 0;
  let most = 0;
  const counted = async (): Promise<void> => {
    most = Math.max(most, ++started);
    await Promise.resolve();
  };
  const entries = Object.fromEntries(
    ["a", "b", "c"].map((id) => [id, nearby(id, [id], {}, { before: counted }).entry]),
  );
  const { host } = await start(entries, { maxParallel: 1, onReady: () => void started-- });
  expect(most).toBe(1);
  expect(host.servers.map(({ id }) => id)).toEqual(["a", "b", "c"]);
  await host.close();
});

test("an abort from outside ends the step, and what was started", async () => {
  const [git, caller] = [nearby("git", ["log"]), new AbortController()];
  const starting = start(
    { git: git.entry, mute: silent },
    { signal: caller.signal, onReady: () => caller.abort("enough") },
  );
  await expect(starting).rejects.toBe("enough");
  expect(git.isRunning).toBe(false);
});

test("a wrong configuration is refused before anything is started", async () => {
  const git = nearby("git", ["log"]);
  const wrong = { git: git.entry, web: { url: "nowhere" } };
  await expect(start(wrong)).rejects.toMatchObject({ code: "INVALID_ARGUMENT", message: /servers\.web\.url/ });
  expect(git.starts).toBe(0);
});

test.each([
  ["a", "b"],
  ["b", "a"],
])(
  "BUG-109: of two servers with the same name, the first of the configuration has it, though %s connects first",
  async (first) => {
    const other = gate();
    const before = (id: string) => (id === first ? undefined : () => other.opened);
    const server = (id: string) => nearby(id, ["search", `only_${id}`], {}, { before: before(id) }).entry;
    const { host, registry, printed } = await start({ a: server("a"), b: server("b") }, { onReady: other.open });
    expect(await text(registry, "search")).toEqual([{ type: "text", text: "a" }]);
    expect(names(registry)).toEqual(["only_a", "only_b", "search"]);
    expect(printed).toEqual([
      'the tool "search" of MCP server "b" was not registered: MCP server "a" has that name and keeps it; give the server a prefix, or rename the tool',
    ]);
    await host.close();
  },
);

test("TOOL-08, BUG-109: with a prefix both can be called, and a tool can be renamed", async () => {
  const [a, b] = [nearby("a", ["search"]), nearby("b", ["search", "find"])];
  const settings = { prefix: "b_", rename: { find: "look" } };
  const { host, registry } = await start({ a: a.entry, b: { ...b.entry, ...settings } });
  expect(names(registry)).toEqual(["b_search", "look", "search"]);
  expect(await text(registry, "b_search")).toEqual([{ type: "text", text: "b" }]);
  expect(await text(registry, "look")).toEqual([{ type: "text", text: "b" }]);
  await host.close();
});

test("O-73: a taken name is refused and never replaced, and its holder survives the disconnect", async () => {
  const registry = createToolRegistry([says("log", "the program")]);
  const { host, printed } = await start({ git: nearby("git", ["log", "diff"]).entry }, {}, registry);
  expect(printed).toEqual([
    'the tool "log" of MCP server "git" was not registered: a tool of this program has that name and keeps it; give the server a prefix, or rename the tool',
  ]);
  expect(host.server("git")).toMatchObject({ tools: ["diff"], refused: [{ name: "log", why: "taken" }] });
  await host.disconnect("git");
  expect(names(registry)).toEqual(["log"]);
  expect(await text(registry, "log")).toEqual([{ type: "text", text: "the program" }]);
});

test("names that differ in case only are two names, and are reported", async () => {
  const { host, registry, printed } = await start({
    a: nearby("a", ["Search"]).entry,
    b: nearby("b", ["search"]).entry,
  });
  expect(names(registry)).toEqual(["Search", "search"]);
  expect(printed).toContain('the tool "search" of MCP server "b" differs from "Search" in case only');
  await host.close();
});

test("allow and deny lists choose among a server's tools", async () => {
  const server = nearby("a", ["read", "write", "erase"]);
  const chosen = { ...server.entry, tools: { allow: ["read", "erase"], deny: ["erase"] } };
  const { host, registry } = await start({ a: chosen });
  expect(names(registry)).toEqual(["read"]);
  await host.close();
});
