import { join } from "node:path";
import { handshake, stateless } from "@parlance/client";
import { over } from "@parlance/jsonrpc";
import { http } from "@parlance/transport-http/node";
import { spawn } from "@parlance/transport-stdio";
import { file } from "./config.js";
import { type Guest, lineOf, ours, theirs } from "./guest.js";

/** Somebody from outside, and what it calls. */
interface Visit {
  readonly name: string;
  connect(): Promise<Guest>;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Another host, a process of its own, that serves on stdio the one server that its configuration has. */
const greeter = (config: string) =>
  over(spawn({ command: process.execPath, args: [file("@parlance/example-re-serve"), "--config", config] }));

function visits(folder: string, url: string): readonly Visit[] {
  const config = join(folder, "greeter.json");
  const greet = { tool: "greet", args: { name: "Ada" } };
  const sum = { tool: "get-sum", args: { a: 1, b: 2 } };
  return [
    { name: "greeter", connect: () => ours(greeter(config)), ...greet },
    { name: "greeter, pinned", connect: () => ours(greeter(config), [handshake()]), ...greet },
    { name: "http, stateless", connect: () => ours(http(url), [stateless()]), tool: "hello", args: {} },
    { name: "http, by session", connect: () => ours(http(url), [handshake()]), ...sum },
    {
      name: "http, official client",
      connect: () => theirs(url),
      tool: "read_text_file",
      args: { path: join(folder, "note.txt") },
    },
  ];
}

/** Visits, all at once: how each speaks, what it called, and what it was answered. */
export function visitAll(folder: string, url: string): Promise<readonly (readonly string[])[]> {
  return Promise.all(
    visits(folder, url).map(async ({ name, connect, tool, args }) => {
      const guest = await connect();
      try {
        return [name, guest.era, guest.version, tool, lineOf(await guest.call(tool, args))];
      } finally {
        await guest.close();
      }
    }),
  );
}
