// What a call costs by the `fetch` entry and on the client's side of HTTP; and what a change costs that 1,000 streams hear.
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { startMetered } from "../child.mjs";
import { openConnection } from "../http-driver.mjs";
import { turned } from "../samples.mjs";
import { callParts, eras, textOf, versions } from "../wire.mjs";
import { openSession } from "./http.mjs";

const warmUpMs = 2_000;
const roundMs = 300;
const streams = 1_000;
const burst = 100;
/** What is still on its way then is paid for too. */
const settleMs = 200;

export async function measureHttpClients({ contestants, programs, rounds, samples, wanted }) {
  const runner = join(programs, "client-runner.mjs");
  for (const era of eras) {
    const figure = `http client ${era}`;
    if (!wanted(figure)) continue;
    const server = startMetered(join(programs, "bare-http-server.mjs"));
    const { port } = await server.said();
    const start = ({ httpClient }) =>
      startMetered(runner, [pathToFileURL(httpClient).href, era, `http://127.0.0.1:${port}/mcp`]);
    await measureRunners(
      figure,
      contestants.filter(({ httpClient }) => httpClient),
      start,
      rounds,
      samples,
    );
    await server.stop();
  }
}

export async function measureFetch({ contestants, programs, rounds, samples, wanted }) {
  if (!wanted("http fetch")) return;
  const text = textOf(100);
  const { head, tail } = callParts("stateless", "echo", { text });
  const headers = {
    host: "127.0.0.1:3000",
    "content-type": "application/json",
    "content-length": String(head.length + tail.length + 6),
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": versions.stateless,
    "mcp-method": "tools/call",
    "mcp-name": "echo",
  };
  const runner = join(programs, "fetch-runner.mjs");
  const start = ({ fetch }) =>
    startMetered(runner, [pathToFileURL(fetch).href, head, tail, text, JSON.stringify(headers)]);
  await measureRunners(
    "http fetch",
    contestants.filter(({ fetch }) => fetch),
    start,
    rounds,
    samples,
  );
}

/** Programs that do their work by themselves, and tell what it cost. */
async function measureRunners(figure, contestants, start, rounds, samples) {
  const field = [];
  for (const one of contestants) {
    const child = start(one);
    await child.said();
    field.push({ name: one.name, child });
  }
  for (const { child } of field) await child.ask({ forMs: warmUpMs });
  for (let round = 0; round < rounds; round++) {
    for (const { name, child } of turned(field, round)) {
      const { calls, cpuMicros } = await child.ask({ forMs: roundMs });
      samples.add(figure, name, cpuMicros / calls);
    }
  }
  for (const { child } of field) await child.stop();
}

export async function measureStreams({ contestants, rounds, samples, wanted }) {
  if (!wanted("http change")) return;
  const field = [];
  for (const { name, httpServer } of contestants) {
    if (httpServer === undefined) continue;
    const child = startMetered(httpServer);
    const { port } = await child.said();
    const audience = createAudience();
    for (let n = 0; n < streams; n++) await audience.join(port);
    field.push({ name, child, audience });
  }
  for (let round = 0; round < rounds + 1; round++) {
    for (const { name, child, audience } of turned(field, round)) {
      const before = await child.cpuMicros();
      const heard = audience.heard();
      await child.ask({ announce: burst });
      await heard;
      await wait(settleMs);
      // the first one warms up
      if (round > 0) samples.add("http change", name, ((await child.cpuMicros()) - before) / (streams * burst));
    }
  }
  for (const { child, audience } of field) {
    audience.leave();
    await child.stop();
  }
}

/** Readers of streams, each of whom is to hear of a burst: at least once, since changes of one turn may be told as one. */
function createAudience() {
  const open = [];
  const word = "list_changed";
  let owed = new Set();
  let done = () => {};
  const reader = () => {
    const self = {};
    let rest = "";
    self.hear = (chunk) => {
      const text = rest + chunk;
      const found = text.lastIndexOf(word);
      // the word may be cut where the chunk ends
      rest = text.slice(Math.max(found + 1, text.length - word.length + 1));
      if (found >= 0 && owed.delete(self) && owed.size === 0) done();
    };
    return self;
  };
  return {
    async join(port) {
      const connection = await openConnection(port);
      const headers = await openSession(connection, port);
      const lines = Object.entries({ host: `127.0.0.1:${port}`, accept: "text/event-stream", ...headers });
      const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
      const listener = reader();
      await new Promise((resolve) => {
        connection.hear(`GET /mcp HTTP/1.1\r\n${head}\r\n`, (chunk) => {
          resolve();
          listener.hear(chunk);
        });
      });
      open.push({ connection, listener });
    },
    heard: () =>
      new Promise((resolve) => {
        owed = new Set(open.map(({ listener }) => listener));
        done = resolve;
      }),
    leave() {
      for (const { connection } of open) connection.close();
    },
  };
}
