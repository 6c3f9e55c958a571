import { readFileSync } from "node:fs";
import { join } from "node:path";
import { LocalError } from "@parlance/jsonrpc";
import { expect, test } from "vitest";
import { readConfig, secretsOf } from "./read.js";
import { configSchema } from "./schema.js";

const read = (config: unknown, env: Record<string, string> = {}) => readConfig(config, { env });

function faults(config: unknown, env: Record<string, string> = {}): unknown {
  try {
    read(config, env);
  } catch (error) {
    if (error instanceof LocalError && error.code === "INVALID_ARGUMENT") return error.details["faults"];
    throw error;
  }
  return [];
}

test("O-80: servers by id, each with a transport, command, args, env and url; stdio unless there is a url", () => {
  const git = { command: "uvx", args: ["mcp-server-git"], env: { LEVEL: "3" } };
  const docs = { transport: "http", url: "http://127.0.0.1:1/mcp" };
  const config = read({ enabled: true, servers: { git, docs }, server: { name: "us", version: "1.0.0" } });
  expect(config).toEqual({ enabled: true, servers: { git, docs }, server: { name: "us", version: "1.0.0" } });
  expect(Object.keys(config.servers)).toEqual(["git", "docs"]);
  expect(read({ enabled: false, servers: {} }).enabled).toBe(false);
});

test("the older word sse reads as http, in any case, and http+sse as the transport of 2024", () => {
  const url = "http://127.0.0.1:1/mcp";
  const transports = ["Sse", "SSE", "sse", "HTTP", "http+sse"].map((transport) => ({ transport, url }));
  const { servers } = read({ servers: { ...transports } });
  expect(Object.values(servers).map(({ transport }: { transport?: unknown }) => transport)).toEqual([
    "http",
    "http",
    "http",
    "http",
    "http+sse",
  ]);
});

test("the root mcpServers of other programs is read, with their keys", () => {
  const url = "http://127.0.0.1:1/sse";
  const config = read({
    mcpServers: {
      files: { command: "npx", args: ["-y", "files"], autoApprove: ["read"] },
      old: { type: "sse", url },
      new: { type: "streamable-http", url },
      off: { command: "npx", disabled: true },
    },
  });
  expect(config.servers).toMatchObject({
    files: { command: "npx" },
    old: { transport: "http+sse", url },
    new: { transport: "http", url },
  });
  expect(config.servers).not.toHaveProperty("off");
});

test("a list of tools and the type local, as some programs write them, are understood", () => {
  const some = { type: "local", command: "x", tools: ["read", "list"] };
  const { servers } = read({ mcpServers: { some, all: { ...some, tools: ["*"] } } });
  expect(servers).toEqual({
    some: { transport: "stdio", command: "x", tools: { allow: ["read", "list"] } },
    all: { transport: "stdio", command: "x" },
  });
});

test("O-75: what is wrong is found before anything is started, and names the key and the fix", () => {
  expect(faults([])).toEqual(['the configuration must be an object like { "servers": {} }']);
  expect(faults({ servers: { a: { transport: "http" } } })).toEqual([
    'servers.a.url is missing; transport "http" needs one',
  ]);
  expect(faults({ servers: { a: { transport: "carrier pigeon", url: "http://x/" } } })).toEqual([
    'servers.a.transport must be one of "stdio", "http", "http+sse"; got "carrier pigeon"',
  ]);
  expect(faults({ servers: { a: {} } })).toEqual([
    "servers.a has neither command nor url; give it the one it is reached by",
  ]);
  expect(faults({ servers: { a: { command: "x", url: "http://x/" } } })).toEqual([
    "servers.a has command and url; a server is reached in one way, remove the other",
  ]);
  expect(faults({ servers: { a: { url: "nowhere" } } })).toEqual([
    "servers.a.url is no URL; write http://… or https://…",
  ]);
  expect(faults({ servers: { a: { comand: "x" } } })).toMatchObject([/servers\.a must not have the property "comand"/]);
  expect(faults({ Servers: {} })).toEqual(["Servers is written servers"]);
  expect(faults({ servers: { a: { command: "x" } }, mcpServers: { a: { command: "y" } } })).toEqual([
    "mcpServers.a is there twice; give one of them another id",
  ]);
  expect(faults({ servers: { a: { command: "x", restart: true } } })).toMatchObject([/^servers\.a\.restart must be/]);
  expect(
    faults({ servers: { a: { command: "x", restart: false }, b: { command: "x", restart: { maxTries: 1 } } } }),
  ).toEqual([]);
});

test("O-82: a removed key is refused with what replaced it, whatever its value", () => {
  for (const value of [true, false]) {
    expect(faults({ enableServer: value, servers: {} })).toMatchObject([
      /^enableServer is not a setting any more: .*createServer.*remove the key$/,
    ]);
  }
});

test("variables are put in once, with defaults, and one that is not set is named", () => {
  const env = { TOKEN: "s3cret-token", NESTED: "${TOKEN}", EMPTY: "" };
  const args = ["${TOKEN}", "a-${NO:-b}-c", "${NESTED}", "${EMPTY}", "${EMPTY:-filled}", "$TOKEN", "${}"];
  const { servers } = read({ servers: { a: { command: "${NO:-node}", args, env: { KEY: "${TOKEN}" } } } }, env);
  expect(servers["a"]).toMatchObject({
    command: "node",
    args: ["s3cret-token", "a-b-c", "${TOKEN}", "", "filled", "$TOKEN", "${}"],
    env: { KEY: "s3cret-token" },
  });
  expect(faults({ servers: { a: { command: "x", args: ["${A}", "${B}"] }, b: { url: "${A}" } } })).toEqual([
    "servers.a needs the variable A; set it, or write ${A:-default}",
    "servers.a needs the variable B; set it, or write ${B:-default}",
    "servers.b needs the variable A; set it, or write ${A:-default}",
  ]);
  expect(faults({ servers: { a: { command: "${A}", enabled: false } } })).toEqual([]);
});

test("what was read is not read again: a value may look like a variable", () => {
  const config = read({ servers: { a: { command: "x", args: ["${A}"] } } }, { A: "${B}" });
  expect(readConfig(config, { env: { B: "wrong" } })).toBe(config);
});

test("secrets are in no error", () => {
  const wrong = { command: "x", env: { KEY: ["hunter22"] }, headers: "hunter22", args: [22] };
  expect(JSON.stringify(faults({ servers: { a: wrong } }))).not.toMatch(/22/);
  expect(faults({ servers: { a: wrong } })).toContain("servers.a.env.KEY must be of type string");
});

test("secrets of an entry are its variables, its headers, and what came from the environment", () => {
  const { servers } = read({ servers: { a: { command: "x", args: ["--token=${T}"], env: { K: "v" } } } }, { T: "t" });
  expect(servers["a"] && secretsOf(servers["a"])).toEqual(["v", "t"]);
});

test("what variables stand for is checked too, and not shown", () => {
  const env = { BASE: "hunter22", EMPTY: "", LOGIN: "http://me:hunter22@x/" };
  const urls = ["${BASE}/mcp", "ftp://x/", "localhost:80/mcp", "${LOGIN}"];
  const found = urls.flatMap((url) => faults({ servers: { a: { url } } }, env));
  expect(found).toMatchObject([
    /^servers\.a\.url is no URL; write/,
    /^servers\.a\.url begins with ftp:; a server/,
    /^servers\.a\.url begins with localhost:; a server/,
    /^servers\.a\.url holds credentials; put them into headers/,
  ]);
  expect(faults({ servers: { a: { command: "${EMPTY}" } } }, env)).toEqual([
    "servers.a.command is empty; name the program",
  ]);
  expect(found.join()).not.toContain("hunter22");
});

test("what is said of a server that is reached in another way is a fault, as it would have no effect", () => {
  expect(faults({ servers: { a: { command: "x", headers: {} }, b: { url: "http://x/", env: {} } } })).toEqual([
    "servers.a.headers is for a server that has a url, and this is none; remove it",
    "servers.b.env is for a server that is a program, and this is none; remove it",
  ]);
  expect(faults({ mcpServers: { a: { command: "x", headers: {} } } })).toEqual([]);
});

test("keys that every object has by itself are keys like any other", () => {
  const own = JSON.parse(
    '{"__proto__": {"enabled": false}, "constructor": 1, "servers": {"__proto__": {"command": "x"}}}',
  );
  expect(Object.keys(read(own, {}).servers)).toEqual(["__proto__"]);
  const entry = JSON.parse('{"command": "x", "__proto__": {"url": "http://x/"}}');
  expect(faults({ servers: { a: entry } })).toMatchObject([/^servers\.a must not have the property "__proto__"/]);
});

test("a part of what was read may be read again: nothing is put in twice, and secrets stay known", () => {
  const first = read({ mcpServers: { a: { command: "x", args: ["${A}"], alwaysAllow: [] } } }, { A: "${B}" });
  const copied = Object.entries(first.servers).map(([id, entry]) => [id, { ...entry, lazy: true }]);
  const { servers } = read({ ...first, servers: Object.fromEntries(copied) }, {});
  expect(servers["a"]).toMatchObject({ command: "x", args: ["${B}"], lazy: true });
  expect(servers["a"] && secretsOf(servers["a"])).toEqual(["${B}"]);
});

test("the JSON Schema is published as it is checked", () => {
  const file = readFileSync(join(import.meta.dirname, "../../config.schema.json"), "utf8");
  expect(JSON.parse(file)).toEqual(configSchema);
});
