// What a call costs a stdio client, in CPU time, with 64 calls in flight to the same bare server.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { startMetered } from "../child.mjs";
import { turned } from "../samples.mjs";
import { eras } from "../wire.mjs";

const warmUpMs = 1_500;
const roundMs = 300;

export async function measureClients({ contestants, programs, rounds, samples, wanted }) {
  const runner = join(programs, "client-runner.mjs");
  const server = join(programs, "bare-raw-server.mjs");
  for (const era of eras) {
    const figure = `client ${era}`;
    if (!wanted(figure)) continue;
    const field = [];
    for (const { name, client, eras: spoken } of contestants) {
      if (client === undefined || !spoken.includes(era)) continue;
      const child = startMetered(runner, [pathToFileURL(client).href, era, server]);
      await child.said();
      field.push({ name, child });
    }
    for (const { child } of field) await child.ask({ forMs: warmUpMs });
    for (let round = 0; round < rounds; round++) {
      for (const { name, child } of turned(field, round)) {
        const { calls, cpuMicros } = await child.ask({ forMs: roundMs });
        samples.add(figure, name, cpuMicros / calls);
      }
    }
    for (const { child } of field) await child.end("close");
  }
}
