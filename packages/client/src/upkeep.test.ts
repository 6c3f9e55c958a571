import { handshakeClient, statelessClient } from "@parlance/protocol-versions";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Client } from "./client.js";
import { type ClientOptions, connectClient } from "./connect.js";
import { inner } from "./inner.js";
import { restarting } from "./restart.js";
import {
  type Answers,
  createScriptedServer,
  fail,
  handshakeAnswers,
  ok,
  type ScriptedServer,
  statelessAnswers,
} from "./scripted-server.fixture.js";
import { listTools } from "./tools.js";

const info = { name: "test", version: "1" };
const eras = [statelessClient(), handshakeClient()];
const done = ok({ content: [] });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function connected(
  answers: Answers,
  options: Partial<ClientOptions> = {},
): Promise<{ client: Client; server: ScriptedServer }> {
  const server = createScriptedServer({ ...statelessAnswers, ...answers });
  return { server, client: await connectClient({ dial: server.dial, info, eras, restart: restarting(), ...options }) };
}

function caught(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

test("STD-20: calls that a server took down with it are reported with the reason, and the next call starts it again", async () => {
  const report = vi.fn();
  const { client, server } = await connected(
    { "tools/call": (_, { received }) => (received.length > 2 ? "exit" : "silence") },
    { report },
  );
  const lost = [caught(client.callTool("a")), caught(client.callTool("b"))];
  for (const error of await Promise.all(lost)) {
    expect(error).toMatchObject({ code: "CLOSED", message: expect.stringContaining("out of luck") });
  }
  expect(server.runs).toHaveLength(1);
  expect(report).toHaveBeenCalledExactlyOnceWith({
    kind: "server_lost",
    reason: expect.objectContaining({ code: "CLOSED" }),
  });
  await client.ping();
  expect(server.runs).toHaveLength(2);
  expect(report).toHaveBeenLastCalledWith({ kind: "server_restarted", tries: 1 });
});

test("STD-20: a server that shakes hands is initialized again, at once", async () => {
  const server = createScriptedServer({ ...handshakeAnswers, "tools/call": done });
  const client = await connectClient({ dial: server.dial, info, eras, restart: restarting() });
  server.last.exit();
  await client.callTool("x");
  expect(server.runs).toHaveLength(2);
  expect(server.methods).toEqual(["initialize", "notifications/initialized", "tools/call"]);
});

test("STD-20: of servers that ended nothing is kept", async () => {
  const { client, server } = await connected({ "tools/call": done });
  const { closing } = client[inner];
  const kept = closing.size;
  for (let run = 1; run <= 3; run++) {
    server.last.exit();
    await client.callTool("x");
    expect(server.runs).toHaveLength(run + 1);
    expect(closing.size).toBe(kept);
  }
});

test("calls that come together start it once", async () => {
  const { client, server } = await connected({ "tools/call": done });
  server.last.exit();
  await Promise.all([client.callTool("a"), client.callTool("b"), client.ping()]);
  expect(server.runs).toHaveLength(2);
});

test("STD-22: a server that ends whenever it is used is started 5 times, each time later, and then no more", async () => {
  const { client, server } = await connected({ "tools/call": "exit" });
  const waits: number[] = [];
  for (let call = 0; call < 8; call++) {
    const failing = caught(client.callTool("x"));
    const before = Date.now();
    await vi.advanceTimersByTimeAsync(0);
    while (vi.getTimerCount() > 1 || server.runs.length < Math.min(call + 1, 6)) await vi.advanceTimersByTimeAsync(50);
    waits.push(Date.now() - before);
    expect(await failing).toMatchObject({ code: "CLOSED" });
  }
  expect(server.runs).toHaveLength(6);
  expect(waits.slice(0, 6)).toEqual([0, 0, 250, 500, 1_000, 2_000]);
  expect(await caught(client.ping())).toMatchObject({
    code: "CLOSED",
    message: "the server was started 5 times and ended each time",
  });
});

test("STD-22: a call that succeeds sets the count back", async () => {
  const { client, server } = await connected({ "tools/call": done }, { restart: restarting({ maxTries: 1 }) });
  for (let round = 0; round < 4; round++) {
    server.last.exit();
    await client.callTool("x");
  }
  expect(server.runs).toHaveLength(5);
});

test("the wait for another start holds the process open, and ends when the client is closed", async () => {
  const { client } = await connected({ "tools/call": "exit" });
  await caught(client.callTool("x"));
  await caught(client.callTool("x"));
  const timers = vi.spyOn(globalThis, "setTimeout");
  const waiting = caught(client.callTool("x"));
  await vi.advanceTimersByTimeAsync(0);
  expect(timers.mock.results.map(({ value }) => value.hasRef())).toContain(true);
  await client.close();
  expect(await waiting).toMatchObject({ code: "CLOSED", message: "the client was closed" });
  expect(vi.getTimerCount()).toBe(0);
});

test("unless it is told otherwise a client starts no server again: a lost one is the error of every call", async () => {
  const { client, server } = await connected({ "tools/call": "exit" }, { restart: undefined });
  const message = expect.stringContaining("out of luck");
  expect(await caught(client.callTool("x"))).toMatchObject({ code: "CLOSED", message });
  expect(await caught(client.callTool("x"))).toMatchObject({ code: "CLOSED", message });
  expect(server.runs).toHaveLength(1);
});

describe("STD-22: a lost call is run again", () => {
  const listed = ok({
    tools: [
      { name: "read", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } },
      { name: "set", inputSchema: { type: "object" }, annotations: { idempotentHint: true } },
      { name: "add", inputSchema: { type: "object" } },
    ],
  });
  let runs = 0;
  const answers: Answers = {
    "tools/list": listed,
    "tools/call": () => (runs++ === 0 ? "exit" : done),
  };
  beforeEach(() => {
    runs = 0;
  });

  test.each(["read", "set"])("when the caller asked for it and %s says that it bears it", async (name) => {
    const { client, server } = await connected(answers);
    await listTools(client);
    expect(await client.callTool(name, {}, { rerun: true })).toEqual({ content: [] });
    expect(server.runs).toHaveLength(2);
  });

  test.each([
    ["read", false],
    ["add", true],
    ["unknown", true],
  ])("but not %s with rerun %s", async (name, rerun) => {
    const { client, server } = await connected(answers);
    await listTools(client);
    expect(await caught(client.callTool(name, {}, { rerun }))).toMatchObject({ code: "CLOSED" });
    expect(server.runs).toHaveLength(1);
  });
});

test("a call that is run again is given up on the server that it was run on", async () => {
  let lost = false;
  const { client, server } = await connected({
    "tools/list": ok({ tools: [{ name: "read", inputSchema: {}, annotations: { readOnlyHint: true } }] }),
    "tools/call": ({ params }) => {
      if (params?.["name"] !== "read") return "silence";
      if (lost) return "silence";
      lost = true;
      return "exit";
    },
  });
  await listTools(client);
  const again = caught(client.callTool("read", {}, { rerun: true, timeoutMs: 100 }));
  await vi.advanceTimersByTimeAsync(0);
  const other = client.callTool("other");
  await vi.advanceTimersByTimeAsync(100);
  expect(await again).toMatchObject({ code: "TIMEOUT" });
  const [read, unrelated] = server.received.filter((message) => message.method === "tools/call");
  expect(server.received.at(-1)).toMatchObject({ method: "notifications/cancelled", params: { requestId: read?.id } });
  server.last.send({ id: unrelated?.id, result: { content: [] } });
  expect(await other).toEqual({ content: [] });
});

describe("close", () => {
  test("rejects what waits, ends the server and may be called again; calls after it are refused", async () => {
    const { client, server } = await connected({ "tools/call": "silence" });
    const waiting = caught(client.callTool("x"));
    await vi.advanceTimersByTimeAsync(0);
    await Promise.all([client.close(), client.close()]);
    await client.close();
    expect(await waiting).toMatchObject({ code: "CLOSED" });
    expect(server.last.closed).toBe(true);
    expect(await caught(client.callTool("x"))).toMatchObject({ code: "CLOSED", message: "the client was closed" });
    expect(await caught(client.notify("x/y"))).toMatchObject({ code: "CLOSED" });
    expect(server.runs).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("ends a restart that is under way", async () => {
    const { client, server } = await connected({ "tools/call": done });
    server.last.exit();
    const waiting = caught(client.callTool("x"));
    await client.close();
    expect(await waiting).toMatchObject({ code: "CLOSED" });
    expect(server.last.closed).toBe(true);
  });

  test("is not reported as a loss", async () => {
    const report = vi.fn();
    const { client } = await connected({}, { report });
    await client.close();
    expect(report).not.toHaveBeenCalled();
  });
});

test("the signal that ended the attempt to connect has no say afterwards", async () => {
  const controller = new AbortController();
  const { client } = await connected({ "tools/call": done }, { signal: controller.signal });
  controller.abort();
  expect(await client.callTool("x")).toEqual({ content: [] });
});

test("LC-25: a server that ends in good order is an end like any other", async () => {
  const { client, server } = await connected({ "tools/call": fail(-32603) }, { restart: undefined });
  const waiting = caught(client.ping());
  server.last.exit(undefined);
  await waiting;
  expect(await caught(client.callTool("x"))).toMatchObject({ code: "CLOSED" });
});
