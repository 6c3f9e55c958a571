// Every peer in turn, in both roles; prints the table, keeps it in the README, and fails when a cell does.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { clients, servers } from "./rows.js";
import { type Outcome, run } from "./run.js";
import { failures, formatTable } from "./table.js";

const readme = join(import.meta.dirname, "../README.md");
const [begin, end] = ["<!-- table -->\n", "<!-- end of table -->"];
const [only = ""] = process.argv.slice(2);

const folder = await mkdtemp(join(tmpdir(), "parlance-interop-"));
await writeFile(join(folder, "note.txt"), "This line is in a file.\n");
const outcomes: Outcome[] = [];
for (const row of [...servers(folder), ...(await clients())]) {
  if (`${row.peer}, ${row.how}`.includes(only)) outcomes.push(await run(row));
}
await rm(folder, { recursive: true });

const tables = (["server", "client"] as const)
  .map((role) =>
    formatTable(
      `as the ${role}`,
      outcomes.filter(({ row }) => row.role === role),
    ),
  )
  .join("\n\n");
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
