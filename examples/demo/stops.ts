import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { handshake, stateless } from "@parlance/client";
import { over } from "@parlance/jsonrpc";
import { http } from "@parlance/transport-http/node";
import { spawn } from "@parlance/transport-stdio";
import { type Guest, ours, theirs } from "./guest.js";

/** A server to visit, and what to ask it. */
export interface Stop {
  readonly name: string;
  connect(): Promise<Guest>;
  readonly tool: string;
  readonly toolArgs: Readonly<Record<string, unknown>>;
}

const file = (specifier: string): string => fileURLToPath(import.meta.resolve(specifier));
const official = (name: string): string => file(`@modelcontextprotocol/server-${name}/dist/index.js`);

const node = (args: readonly string[], env?: Readonly<Record<string, string>>) =>
  over(spawn({ command: process.execPath, args, env }));
const greeter = () => node([file("@parlance/example-stdio-server")]);

const greet = { tool: "greet", toolArgs: { name: "Ada" } };
const hello = { tool: "hello", toolArgs: {} };
const ada = { name: "Ada", entityType: "person", observations: ["wrote the first program"] };

/** @param url of a server that listens */
export function stops(folder: string, url: string): readonly Stop[] {
  const note = join(folder, "note.txt");
  const memory = { MEMORY_FILE_PATH: join(folder, "memory.jsonl") };
  return [
    { name: "greeter", connect: () => ours(greeter()), ...greet },
    { name: "greeter, pinned", connect: () => ours(greeter(), [handshake()]), ...greet },
    { name: "http, stateless", connect: () => ours(http(url), [stateless()]), ...hello },
    { name: "http, by session", connect: () => ours(http(url), [handshake()]), ...hello },
    { name: "http, official client", connect: () => theirs(url), ...hello },
    {
      name: "everything",
      connect: () => ours(node([official("everything")])),
      tool: "get-sum",
      toolArgs: { a: 19, b: 23 },
    },
    {
      name: "filesystem",
      connect: () => ours(node([official("filesystem"), folder])),
      tool: "read_text_file",
      toolArgs: { path: note },
    },
    {
      name: "memory",
      connect: () => ours(node([official("memory")], memory)),
      tool: "create_entities",
      toolArgs: { entities: [ada] },
    },
    { name: "nowhere", connect: () => ours(over(spawn({ command: "no-such-program" }))), tool: "none", toolArgs: {} },
  ];
}
