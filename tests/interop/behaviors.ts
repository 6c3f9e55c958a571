import { ok, strictEqual as same } from "node:assert/strict";
import { askingBehaviors } from "./asking.js";
import type { Answer, Driver, Program } from "./driver.js";
import { overStdio, pinned } from "./parlance.js";
import { readingBehaviors } from "./reading.js";
import { type Call, type Lacking, lacks, type Row } from "./row.js";

const largeText = `é漢字👩‍👩‍👧 "\u2028\\ ${"x".repeat(1 << 20)}`;
const callsAtOnce = 50;
const shortMs = 300;
/** How long a server may take to notice that a call began, or was given up; a client may be a process for each question. */
const noticeMs = 10_000;
const reports = 3;

/** What is tried on a connection, in this order. Each throws when it goes wrong, or says why it cannot be tried. */
export const behaviors: Readonly<Record<string, (driver: Driver, row: Row) => Promise<Lacking | undefined>>> = {
  list: async (driver, { server }) => {
    const names = await driver.list();
    ok(names.includes(server.good.tool), `${server.good.tool} is not among ${names}`);
    same(new Set(names).size, names.length, "each name once");
    return undefined;
  },

  call: async (driver, { server: { good } }) => {
    await isAnswered(driver, good);
    return undefined;
  },

  "bad arguments": async (driver, { server }) => {
    ok(await isRefused(driver, server.bad), "bad arguments were taken");
    await isAnswered(driver, server.good);
    return undefined;
  },

  "unknown tool": async (driver, { server }) => {
    ok(await isRefused(driver, { tool: "no-such-tool", args: {} }), "a tool that does not exist was called");
    await isAnswered(driver, server.good);
    return undefined;
  },

  "1 MiB": async (driver, { server: { echo } }) => {
    if (lacks(echo)) return echo;
    const { text } = await call(driver, echo(largeText));
    // a tool may give its arguments back as JSON
    const isThere = text.includes(largeText) || text.includes(JSON.stringify(largeText).slice(1, -1));
    ok(isThere, `the text came back changed: ${text.length} for ${largeText.length} characters`);
    return undefined;
  },

  "50 at once": async (driver, { server: { echo, good } }) => {
    const calls = Array.from({ length: callsAtOnce }, async (_, n) => {
      if (lacks(echo)) return isAnswered(driver, good);
      const { text } = await call(driver, echo(`call ${n}.`));
      ok(text.includes(`call ${n}.`), `call ${n} got the answer ${text}`);
    });
    await Promise.all(calls);
    return undefined;
  },

  progress: async (driver, { role, server: { progress } }) => {
    if (lacks(progress)) return progress;
    const heard: number[] = [];
    let isOver = false;
    const onProgress = (done: number): void => {
      ok(!isOver, "progress came after the answer");
      heard.push(done);
    };
    const { isError } = await driver.call(progress.tool, progress.args, { onProgress });
    isOver = true;
    ok(!isError, "the tool failed");
    // the official clients drop a report that they read together with the answer, as the last one may be
    const least = role === "client" ? reports - 1 : reports;
    ok(heard.length >= least, `heard ${heard.length} reports of ${reports}`);
    ok(
      heard.every((done, at) => at === 0 || done > (heard[at - 1] ?? done)),
      `it does not grow: ${heard}`,
    );
    return undefined;
  },

  cancel: async (driver, { server }) => {
    const caller = new AbortController();
    const under = lacks(server.slow) ? server.good : server.slow;
    const calling = driver.call(under.tool, under.args, { signal: caller.signal });
    const failed = calling.then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    if (!lacks(server.slow)) await isNoted(driver, server, ({ started }) => started >= 1, "the call did not begin");
    caller.abort(new Error("not wanted any more"));
    const outcome = await failed;
    ok(outcome !== undefined, "the call was answered although it was given up");
    ok(!driver.isTimeout(outcome.error), "a cancelled call did time out");
    await isGivenUp(driver, server, 1);
    return undefined;
  },

  timeout: async (driver, { server }) => {
    if (lacks(server.slow)) return server.slow;
    const { tool, args } = server.slow;
    const error = await driver.call(tool, args, { timeoutMs: shortMs }).catch((error: unknown) => error);
    ok(driver.isTimeout(error), `it ended with ${error}`);
    await isGivenUp(driver, server, 2);
    return undefined;
  },

  ...readingBehaviors,

  ...askingBehaviors,

  "older revisions": async (_driver, { server, program, parlance = overStdio }) => {
    if (lacks(server.older)) return server.older;
    for (const version of server.older) {
      const older = await pinned(parlance, version)(program);
      try {
        same(`${older.era} ${older.version}`, `handshake ${version}`);
        await isAnswered(older, server.good);
      } finally {
        await older.close();
      }
    }
    return undefined;
  },
};

/** Opens the connection, which is the first behavior. */
export async function connect({ open, program, speaks }: Row, env: Program["env"]): Promise<Driver> {
  const driver = await open({ ...program, env: { ...program.env, ...env } });
  if (driver.era === speaks.era && driver.version === speaks.version) return driver;
  await driver.close();
  throw new Error(`agreed on ${driver.era} ${driver.version}, and not on ${speaks.era} ${speaks.version}`);
}

function call(driver: Driver, { tool, args }: Call): Promise<Answer> {
  return driver.call(tool, args);
}

async function isAnswered(driver: Driver, good: Row["server"]["good"]): Promise<void> {
  const { text, isError } = await call(driver, good);
  ok(!isError && text.includes(good.answer), `${good.tool} answered ${text}`);
}

/** Servers differ in whether the call fails or the tool does; both are a no. */
async function isRefused(driver: Driver, bad: Call): Promise<boolean> {
  try {
    return (await call(driver, bad)).isError;
  } catch (error) {
    ok(!driver.isTimeout(error), "there was no answer at all");
    return true;
  }
}

/** The connection lives on, and where the server can tell, its tool was told to stop. */
function isGivenUp(driver: Driver, server: Row["server"], times: number): Promise<void> {
  return isNoted(driver, server, ({ aborted }) => aborted >= times, "the server works on");
}

interface Counts {
  readonly started: number;
  readonly aborted: number;
}

/** Asks until the server has counted it, if it counts at all. */
async function isNoted(
  driver: Driver,
  { good, stats }: Row["server"],
  isSo: (counts: Counts) => boolean,
  otherwise: string,
): Promise<void> {
  await isAnswered(driver, good);
  if (lacks(stats)) return;
  const lastMs = performance.now() + noticeMs;
  let text = "";
  while (performance.now() < lastMs) {
    ({ text } = await call(driver, stats));
    if (isSo(JSON.parse(text))) return;
  }
  throw new Error(`${otherwise}: ${text}`);
}
