// One client visits real servers over stdio and HTTP, all at once, each in the era that it speaks; the last does not exist.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer } from "@parlance/server";
import { createToolRegistry, tool } from "@parlance/tool-registry";
import { anonymous, createHttpHandler } from "@parlance/transport-http";
import { listen } from "@parlance/transport-http/node";
import type { Guest } from "./guest.js";
import { type Stop, stops } from "./stops.js";
import { printTable, red } from "./table.js";

/** What came of a visit: cells of the two tables, or why there are none. */
type Visit =
  | { readonly met: readonly string[]; readonly said: readonly string[] }
  | { readonly name: string; readonly failed: string };

async function visit({ name, connect, tool, toolArgs }: Stop): Promise<Visit> {
  const startedMs = performance.now();
  let guest: Guest;
  try {
    guest = await connect();
  } catch (error) {
    return { name, failed: error instanceof Error ? error.message : `${error}` };
  }
  const connectMs = Math.round(performance.now() - startedMs);
  try {
    const tools = await guest.countTools();
    const content = await guest.call(tool, toolArgs);
    const text = content.map((block) => (typeof block.text === "string" ? block.text : block.type)).join(" ");
    return {
      met: [name, guest.era, guest.version, `${tools}`, `${connectMs} ms`],
      said: [name, tool, text.replace(/\s+/g, " ").trim()],
    };
  } finally {
    await guest.close();
  }
}

const hello = tool({ name: "hello", description: "Says hello", run: () => "Hello over HTTP!" });
const server = createServer({ info: { name: "hello", version: "1.0.0" }, features: [createToolRegistry([hello])] });
const listening = await listen(createHttpHandler(server, { auth: anonymous() }));
const folder = await mkdtemp(join(tmpdir(), "parlance-demo-"));
await writeFile(join(folder, "note.txt"), "This line is in a file.\n");
const visits = await Promise.all(stops(folder, listening.url).map(visit));
await listening.close();
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
