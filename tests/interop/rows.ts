import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { handshake } from "@parlance/client";
import type { Open } from "./driver.js";
import { parlance, revisions } from "./parlance.js";
import type { Row, Served } from "./row.js";

const home = join(import.meta.dirname, "..");
const peers = join(home, "peers");
const modules = join(peers, "node_modules");
const node22 = join(modules, "node/bin/node");

const stateless = { era: "stateless", version: "2026-07-28" } as const;
const newest = { era: "handshake", version: "2025-11-25" } as const;
const [, ...older] = revisions;

/** The tools of every server that is written here, whatever it is written with. */
const ours: Omit<Served, "older"> = {
  good: { tool: "echo", args: { text: "hello" }, answer: "hello" },
  bad: { tool: "echo", args: { text: 5 } },
  echo: (text) => ({ tool: "echo", args: { text } }),
  progress: { tool: "progress", args: { steps: 3 } },
  slow: { tool: "slow", args: { ms: 60_000 } },
  stats: { tool: "stats", args: {} },
};

const noTime = { lacks: "none of its tools takes time" };
const noReports = { lacks: "none of its tools reports progress" };
const noStats = { lacks: "its tools do not say whether they were told to stop" };
const noEcho = { lacks: "none of its tools gives a text back" };
const below = { lacks: "tried in the row below" };

function written(name: string): Pick<Row, "program"> {
  return { program: { command: process.execPath, args: [join(peers, `servers/${name}.mjs`)], env: {} } };
}

function reference(name: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const file = join(modules, `@modelcontextprotocol/server-${name}/dist/index.js`);
  return {
    peer: label(`@modelcontextprotocol/server-${name}`),
    role: "server",
    how: "",
    open: parlance(),
    program: { command: process.execPath, args: [file, ...args], env },
    speaks: newest,
  } as const;
}

function label(name: string): string {
  const { version } = JSON.parse(readFileSync(join(modules, name, "package.json"), "utf8"));
  return `${name} ${version}`;
}

/** Servers that others wrote, under our client. `folder` is theirs to write in. */
export function servers(folder: string): readonly Row[] {
  const note = join(folder, "note.txt");
  const thought = { thought: "one", nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 };
  const v2 = { peer: label("@modelcontextprotocol/server"), role: "server", ...written("sdk-v2") } as const;
  return [
    {
      ...{ peer: label("@modelcontextprotocol/sdk"), role: "server", how: "", ...written("sdk-v1") },
      ...{ open: parlance(), speaks: newest, server: { ...ours, older } },
    },
    { ...v2, how: "", open: parlance(), speaks: stateless, server: { ...ours, older: below } },
    { ...v2, how: "handshake", open: parlance([handshake()]), speaks: newest, server: { ...ours, older } },
    {
      ...reference("everything"),
      server: {
        good: { tool: "get-sum", args: { a: 19, b: 23 }, answer: "42" },
        bad: { tool: "get-sum", args: { a: "nineteen" } },
        echo: (message) => ({ tool: "echo", args: { message } }),
        progress: { tool: "trigger-long-running-operation", args: { duration: 0.3, steps: 3 } },
        slow: { tool: "trigger-long-running-operation", args: { duration: 1.5, steps: 1 } },
        stats: noStats,
        older,
      },
    },
    {
      ...reference("filesystem", [folder]),
      server: {
        good: { tool: "read_text_file", args: { path: note }, answer: "in a file" },
        bad: { tool: "read_text_file", args: { path: 5 } },
        ...{ echo: noEcho, progress: noReports, slow: noTime, stats: noStats, older },
      },
    },
    {
      ...reference("memory", [], { MEMORY_FILE_PATH: join(folder, "memory.jsonl") }),
      server: {
        good: { tool: "search_nodes", args: { query: "nobody" }, answer: "entities" },
        bad: { tool: "search_nodes", args: {} },
        echo: (name) => ({
          tool: "create_entities",
          args: { entities: [{ name, entityType: "text", observations: [] }] },
        }),
        ...{ progress: noReports, slow: noTime, stats: noStats, older },
      },
    },
    {
      ...reference("sequential-thinking", [], { DISABLE_THOUGHT_LOGGING: "true" }),
      server: {
        good: { tool: "sequentialthinking", args: thought, answer: "thoughtHistoryLength" },
        bad: { tool: "sequentialthinking", args: { ...thought, thoughtNumber: "first" } },
        ...{ echo: noEcho, progress: noReports, slow: noTime, stats: noStats, older },
      },
    },
    {
      ...{ peer: label("tmcp"), role: "server", how: "", ...written("tmcp"), open: parlance(), speaks: stateless },
      // over stdio its tools get no signal
      server: { ...ours, stats: noStats, older },
    },
    {
      ...{ peer: label("fastmcp"), role: "server", how: "Node 22", open: parlance(), speaks: newest },
      program: { ...written("fastmcp").program, command: node22 },
      server: { ...ours, older },
    },
  ];
}

/** Clients that others wrote, with our server. */
export async function clients(): Promise<readonly Row[]> {
  const v1: { readonly open: Open } = await load("sdk-v1");
  const v2: { open(program: Row["program"], mode: unknown): ReturnType<Open> } = await load("sdk-v2");
  const server = { ...ours, older: { lacks: "it offers its newest" } };
  const program = { command: process.execPath, args: [join(home, "dist/server.js")], env: {} };
  const row = { role: "client", program, server } as const;
  const modes = [
    ["legacy", "legacy", newest],
    ["auto", "auto", stateless],
    ["pinned", { pin: stateless.version }, stateless],
  ] as const;
  return [
    { ...row, peer: label("@modelcontextprotocol/sdk"), how: "", open: v1.open, speaks: newest },
    ...modes.map(([how, mode, speaks]) => {
      const open: Open = (served) => v2.open(served, mode);
      return { ...row, peer: label("@modelcontextprotocol/client"), how, open, speaks };
    }),
  ];
}

function load<Client>(name: string): Promise<Client> {
  return import(pathToFileURL(join(peers, `clients/${name}.mjs`)).href);
}
