import { join } from "node:path";
import { handshake } from "@parlance/client";
import type { Open } from "./driver.js";
import { overStdio } from "./parlance.js";
import {
  below,
  contents,
  everything,
  home,
  label,
  load,
  modules,
  newest,
  node22,
  offersNewest,
  older,
  ours,
  stateless,
  written,
} from "./peers.js";
import type { Row } from "./row.js";

const noTime = { lacks: "none of its tools takes time" };
const noReports = { lacks: "none of its tools reports progress" };
const noStats = { lacks: "its tools do not say whether they were told to stop" };
const noEcho = { lacks: "none of its tools gives a text back" };

function reference(name: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const file = join(modules, `@modelcontextprotocol/server-${name}/dist/index.js`);
  return {
    peer: label(`@modelcontextprotocol/server-${name}`),
    role: "server",
    how: "",
    open: overStdio(),
    program: { command: process.execPath, args: [file, ...args], env },
    speaks: newest,
  } as const;
}

const official = { ...ours, ...contents };

/** Servers that others wrote, under our client. `folder` is theirs to write in. */
export function servers(folder: string): readonly Row[] {
  const note = join(folder, "note.txt");
  const thought = { thought: "one", nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 };
  const v2 = { peer: label("@modelcontextprotocol/server"), role: "server", ...written("sdk-v2") } as const;
  return [
    {
      ...{ peer: label("@modelcontextprotocol/sdk"), role: "server", how: "", ...written("sdk-v1") },
      ...{ open: overStdio(), speaks: newest, server: { ...official, older } },
    },
    { ...v2, how: "", open: overStdio(), speaks: stateless, server: { ...official, older: below } },
    { ...v2, how: "handshake", open: overStdio([handshake()]), speaks: newest, server: { ...official, older } },
    {
      ...reference("everything"),
      server: everything,
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
      ...{ peer: label("tmcp"), role: "server", how: "", ...written("tmcp"), open: overStdio(), speaks: stateless },
      // over stdio its tools get no signal
      server: { ...ours, stats: noStats, older },
    },
    {
      ...{ peer: label("fastmcp"), role: "server", how: "Node 22", open: overStdio(), speaks: newest },
      program: { ...written("fastmcp").program, command: node22 },
      server: { ...ours, older },
    },
  ];
}

/** Clients that others wrote, with our server. */
export async function clients(): Promise<readonly Row[]> {
  const v1: { readonly open: Open } = await load("sdk-v1");
  const v2: { open(program: Row["program"], mode: unknown): ReturnType<Open> } = await load("sdk-v2");
  const server = { ...official, older: offersNewest };
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
