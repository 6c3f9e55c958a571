// One client visits four real servers over stdio, all at once, each in the era that it speaks; the fifth does not exist.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, connectClient } from "@parlance/client";
import { over } from "@parlance/jsonrpc";
import { spawn } from "@parlance/transport-stdio";
import { type Stop, stops } from "./stops.js";
import { printTable, red } from "./table.js";

/** What came of a visit: cells of the two tables, or why there are none. */
type Visit =
  | { readonly met: readonly string[]; readonly said: readonly string[] }
  | { readonly name: string; readonly failed: string };

async function visit({ name, command = process.execPath, args, env, eras, tool, toolArgs }: Stop): Promise<Visit> {
  const startedMs = performance.now();
  let client: Client;
  try {
    const dial = over(spawn({ command, args, env }));
    client = await connectClient({ dial, eras, info: { name: "parlance-demo", version: "1.0.0" } });
  } catch (error) {
    return { name, failed: error instanceof Error ? error.message : `${error}` };
  }
  const connectMs = Math.round(performance.now() - startedMs);
  try {
    const { era, version } = client.server;
    const tools = await client.listTools();
    const { content } = await client.callTool(tool, toolArgs);
    const text = content.map((block) => (block.type === "text" ? block.text : block.type)).join(" ");
    return {
      met: [name, era, version, `${tools.length}`, `${connectMs} ms`],
      said: [name, tool, text.replace(/\s+/g, " ").trim()],
    };
  } finally {
    await client.close();
  }
}

const folder = await mkdtemp(join(tmpdir(), "parlance-demo-"));
await writeFile(join(folder, "note.txt"), "This line is in a file.\n");
const visits = await Promise.all(stops(folder).map(visit));
await rm(folder, { recursive: true });

const reached = visits.filter((came) => "met" in came);
printTable(
  ["server", "era", "revision", "tools", "connected in"],
  reached.map(({ met }) => met),
);
printTable(
  ["server", "called", "answered"],
  reached.map(({ said }) => said),
);
for (const came of visits) if ("failed" in came) console.log(`\n${red(came.name)}: ${came.failed}`);
