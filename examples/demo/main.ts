// A host starts five servers of one configuration, one of which does not exist, calls each, and serves all of their tools
// again, to clients of either era and by whomever.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServers } from "@parlance/host";
import { createServer } from "@parlance/server";
import { callTool, createToolRegistry, listTools, tool } from "@parlance/tool-registry";
import { anonymous, createHttpHandler, parameterHeaders } from "@parlance/transport-http";
import { listen } from "@parlance/transport-http/node";
import { demoCalls, demoConfig, file } from "./config.js";
import { lineOf } from "./guest.js";
import { printTable, red, title } from "./table.js";
import { visitAll } from "./visits.js";

const hello = tool({ name: "hello", description: "Says hello", run: () => "Hello over HTTP!" });
const ours = createServer({ info: { name: "hello", version: "1.0.0" }, features: [createToolRegistry([hello])] });
const listening = await listen(createHttpHandler(ours, { auth: anonymous() }));
const folder = await mkdtemp(join(tmpdir(), "parlance-demo-"));
await writeFile(join(folder, "note.txt"), "This line is in a file.\n");
const greeter = { command: process.execPath, args: [file("@parlance/example-stdio-server")] };
await writeFile(join(folder, "greeter.json"), JSON.stringify({ servers: { greeter } }));

const registry = createToolRegistry([], { headers: parameterHeaders });
const told: string[] = [];
const host = await startServers(demoConfig(folder, listening.url), registry, { print: (line) => told.push(line) });

title("One configuration, five servers, started at once");
printTable(
  ["server", "era", "revision", "tools", "connected in"],
  host.servers
    .filter(({ connected }) => connected)
    .map(({ id, era = "", revision = "", tools, connectMs }) => [
      id,
      era,
      revision,
      `${tools.length}`,
      `${connectMs} ms`,
    ]),
);
for (const line of told) console.log(`\n${red(line)}`);

title("One call each");
const calls = Object.entries(demoCalls(folder)).map(async ([id, [name, args]]) => {
  const { content } = await callTool(registry, name, { ...args });
  return [id, name, lineOf(content)];
});
printTable(["server", "called", "answered"], await Promise.all(calls));

const gathered = createServer({ info: { name: "gathered", version: "1.0.0" }, features: [registry] });
const outside = await listen(createHttpHandler(gathered, { auth: anonymous() }));
title(
  `Served again and called from outside: a greeter on stdio, the ${listTools(registry).length} tools from above over HTTP`,
);
printTable(["client", "era", "revision", "called", "answered"], await visitAll(folder, outside.url));

await Promise.all([outside.close(), host.close(), listening.close()]);
await rm(folder, { recursive: true });
