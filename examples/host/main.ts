// Starts the servers of a configuration, says how it stands with each, and calls a tool of each.
// Yours will do: `node dist/main.js my-servers.json`. Without an argument it is the nearest parlance.json.
import { findConfig, startServers } from "@parlance/host";
import { callTool, createToolRegistry } from "@parlance/tool-registry";

const found = findConfig({ flag: process.argv[2] });
if (found === undefined) throw new Error("there is no parlance.json here, nor above");

const registry = createToolRegistry();
const host = await startServers(found.config, registry, {
  onReady: ({ id, state, connectMs }) => console.log(`${id}: ${state}${connectMs ? ` after ${connectMs} ms` : ""}`),
});

console.table(
  host.servers.map(({ id, state, era, revision, tools, error }) => ({
    id,
    state,
    era,
    revision,
    tools: tools.length,
    error: error?.code,
  })),
);

for (const { id, tools } of host.servers) {
  const [first] = tools;
  if (first === undefined) continue;
  const { content } = await callTool(registry, first, { name: "Ada" });
  console.log(id, first, content);
}

await host.close();
