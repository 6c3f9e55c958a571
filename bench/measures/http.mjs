// What a call costs an HTTP server, in CPU time, on 32 kept connections; and what many tools, and idle sessions, cost it.
import { startMetered } from "../child.mjs";
import { echoes } from "../driver.mjs";
import { exchange, flood, headerIn, headOf, openConnection } from "../http-driver.mjs";
import { turned } from "../samples.mjs";
import { callParts, eras, initialize, initialized, textOf, versions } from "../wire.mjs";

const connections = 32;
const roundMs = 400;
const warmCalls = 6_000;
const longestWarmUpMs = 6_000;
const manyTools = 1_000;
const sessionsARound = 2_000;

export async function measureHttp({ contestants, rounds, samples, wanted }) {
  const field = contestants.filter(({ httpServer }) => httpServer !== undefined);
  for (const answers of ["auto", "stream"]) {
    for (const era of eras) {
      const figure = `http ${answers === "auto" ? "json" : "sse"} ${era}`;
      if (wanted(figure)) await measureCalls(figure, field, era, answers, rounds, samples);
    }
  }
  if (wanted("http call of many")) await measureMany(field, rounds, samples);
  if (wanted("http session")) await measureSessions(field, Math.min(3, rounds), samples);
}

async function measureCalls(figure, field, era, answers, rounds, samples) {
  const text = textOf(100);
  const call = { era, parts: callParts(era, "echo", { text }), check: echoes(text), name: "echo" };
  const seats = [];
  for (const { name, httpServer } of field)
    seats.push({ name, ...(await open(httpServer, call, { BENCH_ANSWERS: answers })) });
  for (const { calls } of seats) await warmUp(calls);
  for (let round = 0; round < rounds; round++) {
    for (const { name, child, calls } of turned(seats, round)) {
      const before = await child.cpuMicros();
      const times = await calls(roundMs);
      const after = await child.cpuMicros();
      samples.add(figure, name, (after - before) / times.length);
      if (figure.startsWith("http json")) samples.add(`${figure} p99`, name, percentile(times, 0.99));
    }
  }
  for (const { stop } of seats) await stop();
}

/** A server, and how it is kept busy. */
async function open(program, { era, parts, check, name }, env) {
  const child = startMetered(program, [], env);
  const { port } = await child.said();
  const kept = await Promise.all(Array.from({ length: connections }, () => openConnection(port)));
  const head = headOf(port, era === "handshake" ? await openSession(kept[0], port) : standardHeaders(name));
  return {
    child,
    calls: (forMs) => flood(kept, head, parts, check, forMs),
    stop: async () => {
      for (const connection of kept) connection.close();
      await child.stop();
    },
  };
}

const standardHeaders = (name) => ({
  "mcp-protocol-version": versions.stateless,
  "mcp-method": "tools/call",
  "mcp-name": name,
});

/** @returns the headers that name the session */
export async function openSession(connection, port) {
  const id = headerIn(await exchange(connection, headOf(port), initialize(1)), "mcp-session-id");
  const headers = { "mcp-protocol-version": versions.handshake, ...(id === undefined ? {} : { "mcp-session-id": id }) };
  await exchange(connection, headOf(port, headers), initialized);
  return headers;
}

async function warmUp(calls) {
  const until = performance.now() + longestWarmUpMs;
  for (let done = 0; done < warmCalls && performance.now() < until; ) done += (await calls(200)).length;
}

async function measureMany(field, rounds, samples) {
  const seats = [];
  for (const { name, httpServer } of field) {
    const seat = { name };
    for (const [which, count] of [
      ["many", manyTools],
      ["lone", 1],
    ]) {
      const last = `find_in_${String(count - 1).padStart(5, "0")}`;
      const parts = callParts("stateless", last, { query: "x", limit: 5, tags: ["a"] });
      seat[which] = await open(
        httpServer,
        { era: "stateless", parts, check: echoes("found"), name: last },
        { BENCH_TOOLS: String(count) },
      );
      await warmUp(seat[which].calls);
    }
    seats.push(seat);
  }
  for (let round = 0; round < rounds; round++) {
    for (const { name, many, lone } of turned(seats, round)) {
      const alone = await cost(lone);
      samples.add("http call of many", name, (await cost(many)) / alone);
    }
  }
  for (const { many, lone } of seats) {
    await many.stop();
    await lone.stop();
  }
}

async function cost({ child, calls }) {
  const before = await child.cpuMicros();
  const { length } = await calls(roundMs);
  return ((await child.cpuMicros()) - before) / length;
}

/** The heap that a session holds whose client is gone. */
async function measureSessions(field, rounds, samples) {
  for (let round = 0; round < rounds; round++) {
    for (const { name, httpServer } of turned(field, round)) {
      const child = startMetered(httpServer, [], { BENCH_TOOLS: "100" });
      const { port } = await child.said();
      const connection = await openConnection(port);
      const openMany = async (count) => {
        for (let n = 0; n < count; n++) await openSession(connection, port);
      };
      await openMany(200);
      const before = await child.heapBytes();
      await openMany(sessionsARound);
      samples.add("http session", name, ((await child.heapBytes()) - before) / 1024 / sessionsARound);
      connection.close();
      await child.stop();
    }
  }
}

function percentile(values, part) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * part)];
}
