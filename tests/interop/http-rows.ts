import { join } from "node:path";
import { handshake } from "@parlance/client";
import { batches } from "@parlance/jsonrpc";
import { inspector, mcpc } from "./cli.js";
import type { Driver } from "./driver.js";
import { overFetch, overNode, overOlder } from "./parlance.js";
import {
  below,
  clientFile,
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
import { remote } from "./remote.js";
import type { Row } from "./row.js";
import { served } from "./served.js";

interface Official {
  open(served: { readonly url: string }, mode?: unknown): Promise<Driver>;
}

const noSignal = { lacks: "its tools are not told to stop" };
const aProcess = { lacks: "each of its calls is a process" };
const onlyPrints = { lacks: "it prints the answer and nothing before" };
const noSession = { lacks: "over HTTP it keeps no sessions, and cannot ask or tell in between" };
const noTimeout = { lacks: "it does not say that a call took too long" };

const official = { ...ours, ...contents };

/** Servers that others wrote, under our client. */
export function servers(): readonly Row[] {
  const v1 = { peer: label("@modelcontextprotocol/sdk"), role: "server", ...written("sdk-v1", "http") } as const;
  const v2 = { peer: label("@modelcontextprotocol/server"), role: "server", ...written("sdk-v2", "http") } as const;
  const tmcp = { peer: label("tmcp"), role: "server", ...written("tmcp", "http") } as const;
  const [node, fetch] = [{ parlance: overNode }, { parlance: overFetch }];
  const legacy = [handshake()];
  const every = handshake({ batches });
  return [
    { ...v1, ...node, how: "", open: overNode(), speaks: newest, server: { ...official, older } },
    { ...v1, ...fetch, how: "our fetch", open: overFetch(), speaks: newest, server: { ...official, older } },
    {
      ...{ ...v1, ...written("sdk-v1", "sse"), parlance: overOlder, how: "HTTP+SSE", open: overOlder() },
      ...{ speaks: newest, server: { ...official, older } },
    },
    { ...v2, ...node, how: "", open: overNode(), speaks: stateless, server: { ...official, older: below } },
    { ...v2, ...fetch, how: "our fetch", open: overFetch(), speaks: stateless, server: { ...official, older: below } },
    {
      ...{ ...v2, ...node, how: "handshake", open: overNode(legacy), speaks: newest },
      server: { ...official, asks: noSession, change: noSession, older },
    },
    {
      ...{ peer: label("@modelcontextprotocol/server-everything"), role: "server", how: "", ...node },
      ...{ ...written("everything"), open: overNode(), speaks: newest, server: everything },
    },
    {
      // to a client that offers a newer revision than it knows, it answers with the oldest it knows
      ...{ peer: label("mcp-lite"), role: "server", how: "every revision", ...node, ...written("mcp-lite") },
      ...{ open: overNode([every]), speaks: { era: "handshake", version: "2025-03-26" } },
      server: { ...ours, stats: noSignal, older: ["2025-06-18", "2025-03-26"] },
    },
    { ...tmcp, ...node, how: "", open: overNode(), speaks: stateless, server: { ...ours, older: below } },
    {
      ...{ ...tmcp, ...node, how: "handshake", open: overNode(legacy) },
      ...{ speaks: { era: "handshake", version: "2025-06-18" }, server: { ...ours, older } },
    },
  ];
}

/** Clients that others wrote, with our server. */
export async function clients(): Promise<readonly Row[]> {
  const [v1, v2] = await Promise.all([load<Official>("sdk-v1"), load<Official>("sdk-v2")]);
  const program = { command: process.execPath, args: [join(home, "dist/server.js"), "http"], env: {} };
  const server = { ...official, older: offersNewest };
  const row = { role: "client", program, server } as const;
  const modes = [
    ["legacy", "legacy", newest],
    ["auto", "auto", stateless],
    ["pinned", { pin: stateless.version }, stateless],
  ] as const;
  const tool = join(modules, "@modelcontextprotocol/inspector/clients/launcher/build/index.js");
  const byCommand = { "50 at once": aProcess, progress: onlyPrints, timeout: noTimeout };
  const inspected = { ...row, peer: label("@modelcontextprotocol/inspector") };
  return [
    {
      ...row,
      peer: label("@modelcontextprotocol/sdk"),
      how: "",
      open: served((url) => v1.open({ url })),
      speaks: newest,
    },
    {
      ...{ ...row, peer: label("@modelcontextprotocol/sdk"), how: "HTTP+SSE" },
      ...{ open: served((url) => v1.open({ url }, "sse")), speaks: newest },
    },
    ...modes.map(([how, mode, speaks]) => {
      const open = served((url) => v2.open({ url }, mode));
      return { ...row, peer: label("@modelcontextprotocol/client"), how, open, speaks };
    }),
    {
      ...{ ...row, peer: label("@ai-sdk/mcp"), how: "Node 22", speaks: stateless },
      open: served(remote(node22, clientFile("remote"), "ai-sdk")),
      without: { progress: { lacks: "it does not ask for progress" } },
    },
    {
      ...{ ...row, peer: label("@apify/mcpc"), how: "", speaks: newest },
      open: served(mcpc(join(modules, "@apify/mcpc/bin/mcpc"))),
      without: { ...byCommand, cancel: { lacks: "a command that is ended leaves its call to the process behind it" } },
    },
    {
      ...{ ...inspected, how: "Node 22", speaks: stateless, open: served(inspector(node22, tool, "modern")) },
      without: { ...byCommand, "1 MiB": { lacks: "arguments are words of a command" } },
    },
    {
      ...{ ...inspected, how: "legacy, Node 22", speaks: newest, open: served(inspector(node22, tool, "legacy")) },
      without: {
        ...{ ...byCommand, "1 MiB": { lacks: "arguments are words of a command" } },
        cancel: { lacks: "a command that is ended cancels nothing in a session" },
      },
    },
  ];
}
