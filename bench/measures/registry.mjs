// What many tools cost: the list of 10,000, and a call among them beside a call of a lone tool.
import { startMetered } from "../child.mjs";
import { createDriver, echoes } from "../driver.mjs";
import { turned } from "../samples.mjs";
import { callParts, request } from "../wire.mjs";

const many = 10_000;
const era = "handshake";
const listsARound = 2;
const roundMs = 300;
const warmCalls = 6_000;
const longestWarmUpMs = 4_000;

export async function measureRegistries({ contestants, rounds, samples, wanted }) {
  if (!wanted("list") && !wanted("call of many")) return;
  const field = [];
  for (const { name, server } of contestants) {
    const [full, lone] = [await open(server, many), await open(server, 1)];
    await list(full);
    for (const one of [full, lone]) await warmUp(one);
    field.push({ name, full, lone });
  }
  for (let round = 0; round < rounds; round++) {
    for (const { name, full, lone } of turned(field, round)) {
      samples.add("list", name, (await cost(full, () => lists(full))) / 1_000);
      const alone = await cost(lone, () => call(lone));
      samples.add("call of many", name, (await cost(full, () => call(full))) / alone);
    }
  }
  for (const { full, lone } of field) {
    await full.child.stop();
    await lone.child.stop();
  }
}

async function open(server, count) {
  const child = startMetered(server, [], { BENCH_TOOLS: String(count) });
  const driver = createDriver(child);
  await driver.open(era);
  const last = `find_in_${String(count - 1).padStart(5, "0")}`;
  return { child, driver, count, parts: callParts(era, last, { query: "x", limit: 5, tags: ["a"] }) };
}

async function list({ driver, count }) {
  let found = 0;
  let cursor;
  do {
    const page = await driver.ask((id) => request(era, id, "tools/list", cursor === undefined ? {} : { cursor }));
    found += page.tools.length;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  if (found !== count) throw new Error(`${found} of ${count} tools were listed`);
}

async function lists(server) {
  for (let n = 0; n < listsARound; n++) await list(server);
  return listsARound;
}

function call({ driver, parts }, forMs = roundMs) {
  return driver.flood(parts, echoes("found"), { forMs });
}

async function warmUp(server) {
  const until = performance.now() + longestWarmUpMs;
  for (let calls = 0; calls < warmCalls && performance.now() < until; ) calls += await call(server, 200);
}

/** CPU µs for each of what `run` says it did. */
async function cost({ child }, run) {
  const before = await child.cpuMicros();
  const count = await run();
  const after = await child.cpuMicros();
  return (after - before) / count;
}
