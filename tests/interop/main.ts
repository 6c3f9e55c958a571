// Every peer in turn, in both roles; prints the table, keeps it in the README, and fails when a cell does.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as http from "./http-rows.js";
import type { Row } from "./row.js";
import { type Outcome, run } from "./run.js";
import * as stdio from "./stdio-rows.js";
import { failures, formatTable } from "./table.js";

const readme = join(import.meta.dirname, "../README.md");
const [begin, end] = ["<!-- table -->\n", "<!-- end of table -->"];
const [only = ""] = process.argv.slice(2);

const folder = await mkdtemp(join(tmpdir(), "parlance-interop-"));
await writeFile(join(folder, "note.txt"), "This line is in a file.\n");
const groups: Readonly<Record<string, readonly Row[]>> = {
  "as the server, over stdio": stdio.servers(folder),
  "as the client, over stdio": await stdio.clients(),
  "as the server, over HTTP": http.servers(),
  "as the client, over HTTP": await http.clients(),
};
const outcomes: Outcome[] = [];
const parts: string[] = [];
for (const [title, rows] of Object.entries(groups)) {
  const tried: Outcome[] = [];
  for (const row of rows) if (`${title}, ${row.peer}, ${row.how}`.includes(only)) tried.push(await run(row));
  if (tried.length > 0) parts.push(formatTable(title, tried));
  outcomes.push(...tried);
}
await rm(folder, { recursive: true });

const tables = parts.join("\n\n");
process.stdout.write(`${tables}\n`);

const failed = failures(outcomes);
for (const line of failed) process.stdout.write(`\n✗ ${line}`);
if (failed.length > 0) process.exitCode = 1;
else if (only === "") await keep(tables);

/** Other times are no news; other cells are, and in CI they are a README that was not kept. */
async function keep(tables: string): Promise<void> {
  const text = await readFile(readme, "utf8");
  const [from, to] = [text.indexOf(begin) + begin.length, text.indexOf(end)];
  if (to < from) throw new Error(`${readme} has no place for the table: ${begin.trim()} to ${end}`);
  if (withoutTimes(text.slice(from, to)) === withoutTimes(tables)) return;
  if (process.env["CI"] === undefined) await writeFile(readme, `${text.slice(0, from)}${tables}\n${text.slice(to)}`);
  else {
    process.stdout.write(`\n✗ ${readme} has another table; run pnpm interop and commit it\n`);
    process.exitCode = 1;
  }
}

function withoutTimes(tables: string): string {
  return tables
    .replace(/\d+ ms/g, "")
    .replace(/[ -]+/g, " ")
    .trim();
}
