// What a server costs before it has done anything: its import, the way to its first list, and the memory it has then.
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { start } from "../child.mjs";
import { createDriver } from "../driver.mjs";
import { turned } from "../samples.mjs";
import { eras, request } from "../wire.mjs";

const mebibyte = 1024 * 1024;

export async function measureImports({ contestants, programs, rounds, samples, wanted }) {
  if (!wanted("import")) return;
  const runner = join(programs, "import-runner.mjs");
  const field = contestants.filter(({ imports }) => imports !== undefined);
  for (let round = 0; round < rounds; round++) {
    for (const { name, imports } of turned(field, round)) {
      const { stdout, exited } = start(runner, [pathToFileURL(imports).href]);
      const told = await text(stdout);
      await exited;
      samples.add("import", name, Number(told) / 1_000);
    }
  }
}

export async function measureStarts({ contestants, rounds, samples, wanted }) {
  for (const era of eras) {
    if (!wanted(`start ${era}`)) continue;
    const field = contestants.filter(({ eras: spoken }) => spoken.includes(era));
    for (let round = 0; round < rounds; round++) {
      for (const { name, server, plainServer } of turned(field, round)) {
        const plain = await startOnce(plainServer ?? server, era);
        samples.add(`start ${era}`, name, plain.ms);
        if (era !== "handshake") continue;
        const validated = plainServer === undefined ? plain : await startOnce(server, era);
        samples.add("start validated", name, validated.ms);
        samples.add("memory", name, plain.mebibytes);
        samples.add("memory validated", name, validated.mebibytes);
      }
    }
  }
}

async function startOnce(server, era) {
  const from = performance.now();
  const child = start(server);
  const driver = createDriver(child);
  await driver.open(era);
  const { tools } = await driver.ask((id) => request(era, id, "tools/list"));
  const ms = performance.now() - from;
  if (tools.length !== 1) throw new Error(`${server} lists ${tools.length} tools instead of 1`);
  const mebibytes = child.residentBytes() / mebibyte;
  await child.stop();
  return { ms, mebibytes };
}
