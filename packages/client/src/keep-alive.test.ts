import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Client, type ClientReport, connectClient, handshake, keepAlive, restarting } from "./index.js";
import {
  type Answers,
  createScriptedServer,
  fail,
  handshakeAnswers,
  ok,
  type ScriptedServer,
} from "./scripted-server.fixture.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface Connected {
  readonly client: Client;
  readonly server: ScriptedServer;
  readonly reports: ClientReport[];
  pings(): number;
}

async function connected(ping: Answers["ping"]): Promise<Connected> {
  const server = createScriptedServer({ ...handshakeAnswers, ping: ping ?? "silence" });
  const reports: ClientReport[] = [];
  const client = await connectClient({
    dial: server.dial,
    info: { name: "c", version: "1" },
    eras: [handshake()],
    restart: restarting(),
    report: (report) => reports.push(report),
  });
  const pings = (): number => server.runs[0]?.received.filter(({ method }) => method === "ping").length ?? 0;
  return { client, server, reports, pings };
}

const often = { everyMs: 1_000, timeoutMs: 100, maxMissed: 2 };

test("LC-19: pings are off by default, and go out as often as is said", async () => {
  const { client, pings } = await connected(ok({}));
  await vi.advanceTimersByTimeAsync(600_000);
  expect(pings()).toBe(0);
  const stop = keepAlive(client, often);
  await vi.advanceTimersByTimeAsync(3_500);
  expect(pings()).toBe(3);
  stop();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(pings()).toBe(3);
  await client.close();
});

test("pings that come every Infinity do not come", async () => {
  const { client, pings } = await connected(ok({}));
  keepAlive(client, { everyMs: Number.POSITIVE_INFINITY });
  await vi.advanceTimersByTimeAsync(86_400_000);
  expect(pings()).toBe(0);
  await client.close();
});

test("LC-18, LC-19: pings that are not answered are reported, and after so many the connection is closed", async () => {
  const { client, server, reports } = await connected("silence");
  keepAlive(client, often);
  await vi.advanceTimersByTimeAsync(1_100);
  expect(reports).toMatchObject([{ kind: "ping_missed", missed: 1, error: { code: "TIMEOUT" } }]);
  expect(server.last.closed).toBe(false);
  await vi.advanceTimersByTimeAsync(1_100);
  expect(server.last.closed).toBe(true);
  expect(reports.slice(1)).toMatchObject([{ kind: "ping_missed", missed: 2 }, { kind: "server_lost" }]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(server.runs).toHaveLength(1);
  await client.close();
});

test("an error is an answer too", async () => {
  const { client, reports, pings } = await connected(fail(-32601));
  keepAlive(client, often);
  await vi.advanceTimersByTimeAsync(5_500);
  expect(pings()).toBe(5);
  expect(reports).toEqual([]);
  await client.close();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(pings()).toBe(5);
});

test.each([
  [{ everyMs: 0 }, "everyMs is 0"],
  [{ timeoutMs: -1 }, "timeoutMs is -1"],
  [{ maxMissed: 0 }, "maxMissed is 0"],
])("%o is refused", async (options, message) => {
  const { client } = await connected(ok({}));
  expect(() => keepAlive(client, options)).toThrow(message);
  await client.close();
});
