// Feeds mutated real messages to a server and to clients, through the framer, the parser and everything behind them.
// Usage: node --expose-gc main.js [--seed=n] [--count=n]
import { inspect } from "node:util";
import { recordCorpus } from "./corpus.js";
import type { Count } from "./count.js";
import { createRandom } from "./random.js";
import { fuzzClient, fuzzServer, type Round } from "./rounds.js";
import { createSubject } from "./subject.js";

const count = Number(option("count") ?? 1_000_000);
const seed = Number(option("seed") ?? Math.floor(Math.random() * 2 ** 32));
const messagesARound = 500;
/** One round in so many is a client's. */
const clientsEach = 5;
const roundLimitMs = 30_000;
/** What was compiled and remembered by then is not growth. */
const warmShare = 0.2;
const growthLimitBytes = 8 * 1024 * 1024;

const { gc } = globalThis;
if (gc === undefined) throw new Error("the heap can be measured with --expose-gc only");
process.on("unhandledRejection", (reason) => fail("an unhandled rejection", reason));
process.on("uncaughtException", (error) => fail("an uncaught exception", error));
print(`seed ${seed}`);

const done: Count = { messages: 0, results: 0, errors: 0, notifications: 0, reports: 0 };
const server = createSubject();
const round: Omit<Round, "messages"> = {
  server,
  corpus: await recordCorpus(server),
  random: createRandom(seed),
  count: done,
};
const startedMs = performance.now();
let warmBytes: number | undefined;
for (let n = 0; done.messages < count; n++) {
  const messages = Math.min(messagesARound, count - done.messages);
  await limited(n % clientsEach === 0 ? fuzzClient({ ...round, messages }) : fuzzServer({ ...round, messages }));
  if (warmBytes === undefined && done.messages >= count * warmShare) warmBytes = await heapBytes();
}
const seconds = (performance.now() - startedMs) / 1000;
const grownBytes = (await heapBytes()) - (warmBytes ?? 0);
await server.close();

const { messages, results, errors, notifications, reports } = done;
print(
  `${messages} messages in ${seconds.toFixed(1)} s: ${results} results, ${errors} errors, ${notifications} notifications`,
);
print(`${reports} reports; the heap grew by ${(grownBytes / 1024).toFixed(0)} KiB since ${warmShare * 100} % of them`);
if (grownBytes > growthLimitBytes) fail("growth", `${grownBytes} bytes, ${growthLimitBytes} are allowed`);
// what keeps the process alive now was left behind
setTimeout(() => fail("the process does not end", process.getActiveResourcesInfo()), roundLimitMs).unref();

async function limited(round: Promise<void>): Promise<void> {
  const timer = setTimeout(() => fail("a hang", `a round took more than ${roundLimitMs} ms`), roundLimitMs);
  try {
    await round;
  } catch (error) {
    fail("a failed round", error);
  } finally {
    clearTimeout(timer);
  }
}

async function heapBytes(): Promise<number> {
  for (let n = 0; n < 3; n++) {
    await new Promise((resolve) => void setImmediate(resolve));
    gc?.();
  }
  return process.memoryUsage().heapUsed;
}

function fail(what: string, detail: unknown): never {
  process.stderr.write(`${what} after ${done.messages} messages, seed ${seed}: ${inspect(detail)}\n`);
  process.exit(1);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function option(name: string): string | undefined {
  return process.argv.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
}
