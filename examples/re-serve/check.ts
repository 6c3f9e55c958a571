// Reaches the gathered tools from outside, on stdio and over HTTP, and sees how the program ends.
import { spawn as start } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type ClientOptions, connectClient, handshake, stateless } from "@parlance/client";
import { over } from "@parlance/jsonrpc";
import { http } from "@parlance/transport-http/node";
import { spawn } from "@parlance/transport-stdio";

const program = fileURLToPath(new URL("main.js", import.meta.url));
const looping = fileURLToPath(new URL("loop.json", import.meta.url));

async function visit(dial: ClientOptions["dial"], eras: ClientOptions["eras"]): Promise<void> {
  const client = await connectClient({ dial, eras, info: { name: "check", version: "1.0.0" } });
  const { content } = await client.callTool("greet", { name: "Ada" });
  console.log(client.server.info?.name, client.server.version, content);
  await client.close();
}

/** Runs the program to its end, without a client. */
async function end(args: readonly string[], stop?: (url: string) => Promise<void>): Promise<string> {
  const child = start(process.execPath, [program, ...args], { stdio: ["pipe", "pipe", "pipe"] });
  const said: string[] = [];
  createInterface({ input: child.stderr }).on("line", (line) => said.push(line));
  const closed = once(child, "close");
  if (stop === undefined) child.stdin.end();
  else {
    const [url] = await once(createInterface({ input: child.stdout }), "line");
    await stop(url);
    child.kill("SIGTERM");
  }
  const [code] = await closed;
  return `${code} ${said.filter((line) => !line.startsWith("using")).join(" | ")}`.trim();
}

for (const era of [stateless(), handshake()]) {
  await visit(over(spawn({ command: process.execPath, args: [program] })), [era]);
}
writeFileSync(looping, JSON.stringify({ servers: { itself: { command: process.execPath, args: [program] } } }));
const ends = [
  await end([]),
  await end(["--http"], (url) => visit(http(url), undefined)),
  await end(["--tools", "greet, shout"]),
  await end(["--loud"]),
  await end(["--help"]),
  await end(["--config", looping]),
];
for (const line of ends) console.log(line);
const wanted = [
  /^0$/,
  /^0$/,
  /^1 re-serve: there is no tool "shout"/,
  /^1 re-serve: Unknown option/,
  /^0 usage: re-serve/,
  /^0 .*"itself".*serves already/,
];
if (!wanted.every((pattern, at) => pattern.test(ends[at] ?? ""))) throw new Error("it ended in another way");
