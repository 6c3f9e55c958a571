// What a call costs a stdio server, in CPU time, with 64 calls in flight.
import { startMetered } from "../child.mjs";
import { createDriver, echoes } from "../driver.mjs";
import { turned } from "../samples.mjs";
import { callParts, eras, textOf } from "../wire.mjs";

const sizes = [
  { size: "100 B", bytes: 100, warmCalls: 6_000, roundMs: 300 },
  { size: "10 KB", bytes: 10_240, warmCalls: 2_000, roundMs: 300 },
  { size: "1 MB", bytes: 1_048_576, warmCalls: 64, roundMs: 600 },
];
const longestWarmUpMs = 6_000;

export async function measureServers({ contestants, rounds, samples, wanted }) {
  for (const era of eras) {
    const cases = sizes.filter(({ size }) => wanted(`server ${size} ${era}`));
    if (cases.length === 0) continue;
    const field = [];
    for (const { name, server, eras: spoken } of contestants) {
      if (!spoken.includes(era)) continue;
      const child = startMetered(server);
      const driver = createDriver(child);
      await driver.open(era);
      field.push({ name, child, driver });
    }
    for (const one of cases) await measureSize(field, era, one, rounds, samples);
    for (const { child } of field) await child.stop();
  }
}

async function measureSize(field, era, { size, bytes, warmCalls, roundMs }, rounds, samples) {
  const text = textOf(bytes);
  const parts = callParts(era, "echo", { text });
  const check = echoes(text);
  for (const { driver } of field) {
    const until = performance.now() + longestWarmUpMs;
    for (let calls = 0; calls < warmCalls && performance.now() < until; ) {
      calls += await driver.flood(parts, check, { forMs: 200 });
    }
  }
  for (let round = 0; round < rounds; round++) {
    for (const { name, child, driver } of turned(field, round)) {
      const before = await child.cpuMicros();
      const calls = await driver.flood(parts, check, { forMs: roundMs });
      const after = await child.cpuMicros();
      samples.add(`server ${size} ${era}`, name, (after - before) / calls);
    }
  }
}
