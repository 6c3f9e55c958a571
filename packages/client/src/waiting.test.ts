import { handshakeClient, statelessClient } from "@parlance/protocol-versions";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Client } from "./client.js";
import { type ClientOptions, connectClient } from "./connect.js";
import {
  createScriptedServer,
  handshakeAnswers,
  ok,
  type Reaction,
  type Run,
  type ScriptedServer,
  statelessAnswers,
  type Wire,
} from "./scripted-server.fixture.js";

const info = { name: "test", version: "1" };
const done = ok({ content: [] });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const servers = { stateless: statelessAnswers, handshake: handshakeAnswers };
const eras = { stateless: [statelessClient()], handshake: [handshakeClient()] };

async function connected(
  reaction: Reaction | ((message: Wire, run: Run) => Reaction | Promise<Reaction>),
  options: Partial<ClientOptions> = {},
  era: keyof typeof eras = "stateless",
): Promise<{ client: Client; server: ScriptedServer }> {
  const server = createScriptedServer({ ...servers[era], "tools/call": reaction });
  const client = await connectClient({ dial: server.dial, info, eras: eras[era], ...options });
  return { client, server };
}

function cancelled(server: ScriptedServer): readonly unknown[] {
  return server.received.flatMap(({ method, params }) => (method === "notifications/cancelled" ? [params] : []));
}

function caught(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** Sends progress under the token of the last request. */
function progress(server: ScriptedServer, done: number, more: object = {}, of = -1): void {
  const calls = server.received.filter((message) => message.method === "tools/call");
  const progressToken = calls.at(of)?.params?._meta?.["progressToken"];
  server.last.send({ method: "notifications/progress", params: { progressToken, progress: done, ...more } });
}

describe.each(["stateless", "handshake"] as const)("%s:", (era) => {
  test("LC-20, CAN-14, STD-15, BUG-78: a request that is not answered in time is given up, and the server is told once", async () => {
    const { client, server } = await connected("silence", {}, era);
    const failing = caught(client.callTool("slow"));
    await vi.advanceTimersByTimeAsync(59_999);
    expect(cancelled(server)).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await failing).toMatchObject({
      code: "TIMEOUT",
      message: "the server gave no answer to tools/call within 60000 ms",
      details: { method: "tools/call", timeoutMs: 60_000 },
    });
    const { id } = server.received.find((message) => message.method === "tools/call") ?? {};
    expect(cancelled(server)).toEqual([{ requestId: id, reason: expect.any(String) }]);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(cancelled(server)).toHaveLength(1);
  });

  test("STD-15, CAN-04, CAN-05, BUG-78: an aborted call rejects with the signal's reason, and the server is told once", async () => {
    const { client, server } = await connected("silence", {}, era);
    const controller = new AbortController();
    const failing = caught(client.callTool("slow", {}, { signal: controller.signal }));
    await vi.advanceTimersByTimeAsync(0);
    const reason = new Error("enough");
    controller.abort(reason);
    expect(await failing).toBe(reason);
    expect(cancelled(server)).toHaveLength(1);
  });

  test("CAN-09: a late answer to a request that was given up is reported and dropped", async () => {
    const { client, server } = await connected("silence", {}, era);
    const failing = caught(client.callTool("slow", {}, { timeoutMs: 10 }));
    await vi.advanceTimersByTimeAsync(10);
    await failing;
    server.last.send({
      id: server.received.find((message) => message.method === "tools/call")?.id,
      ...(done as object),
    });
    await vi.advanceTimersByTimeAsync(0);
    expect(server.reports).toMatchObject([{ kind: "stray_response" }]);
  });

  test("CAN-01, CAN-02: an abort after the answer tells the server nothing", async () => {
    const { client, server } = await connected(done, {}, era);
    const controller = new AbortController();
    await client.callTool("x", {}, { signal: controller.signal });
    controller.abort();
    await vi.advanceTimersByTimeAsync(0);
    expect(cancelled(server)).toEqual([]);
  });

  test("progress comes before the result and never after it", async () => {
    const heard: unknown[] = [];
    const { client, server } = await connected(
      () => {
        progress(server, 1, { total: 2, message: "half" });
        progress(server, 2, { total: 2 });
        return done;
      },
      {},
      era,
    );
    await client.callTool("x", {}, { onProgress: (...told) => heard.push(told) });
    heard.push("result");
    progress(server, 3);
    await vi.advanceTimersByTimeAsync(0);
    expect(heard).toEqual([[1, 2, "half"], [2, 2, undefined], "result"]);
  });
});

test("CAN-05: a peer that takes a request back by a signal only gets one", async () => {
  const server = createScriptedServer({ ...statelessAnswers, "tools/call": "silence" });
  const dial: ClientOptions["dial"] = async (handler) => ({ ...(await server.dial(handler)), cancel: undefined });
  const client = await connectClient({ dial, info, eras: eras.stateless });
  const controller = new AbortController();
  const aborted = caught(client.callTool("a", {}, { signal: controller.signal }));
  const late = caught(client.callTool("b", {}, { timeoutMs: 100 }));
  await vi.advanceTimersByTimeAsync(0);
  controller.abort(new Error("enough"));
  expect(await aborted).toEqual(new Error("enough"));
  await vi.advanceTimersByTimeAsync(100);
  expect(await late).toMatchObject({ code: "TIMEOUT" });
  expect(cancelled(server)).toHaveLength(2);
});

test("LC-21: the timeout is each call's own to set, longer and shorter", async () => {
  const { client } = await connected("silence");
  const short = vi.fn();
  const long = vi.fn();
  client.callTool("a", {}, { timeoutMs: 120_000 }).catch(long);
  client.callTool("b", {}, { timeoutMs: 100 }).catch(short);
  await vi.advanceTimersByTimeAsync(100);
  expect(short).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(119_899);
  expect(long).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(long).toHaveBeenCalledOnce();
});

test("LC-21: the client's default can be set, and a call may wait for ever", async () => {
  const { client } = await connected("silence", { timeoutMs: 50 });
  const failing = caught(client.callTool("a"));
  const patient = vi.fn();
  client
    .callTool("b", {}, { timeoutMs: Number.POSITIVE_INFINITY, maxTotalMs: Number.POSITIVE_INFINITY })
    .catch(patient);
  await vi.advanceTimersByTimeAsync(50);
  expect(await failing).toMatchObject({ code: "TIMEOUT" });
  await vi.advanceTimersByTimeAsync(100 * 24 * 3_600_000);
  expect(patient).not.toHaveBeenCalled();
});

test("LC-22, BUG-87: progress extends the time also without a callback", async () => {
  const { client, server } = await connected("silence");
  const call = client.callTool("slow", {}, { timeoutMs: 1_000 });
  for (let step = 1; step <= 8; step++) {
    await vi.advanceTimersByTimeAsync(400);
    progress(server, step);
    await vi.advanceTimersByTimeAsync(0);
  }
  const { id } = server.received.at(-1) ?? {};
  server.last.send({ id, ...(done as object) });
  expect(await call).toEqual({ content: [] });
});

test("LC-23, CAN-15, BUG-87: up to a maximum, whatever the progress", async () => {
  const { client, server } = await connected("silence");
  const failing = caught(client.callTool("slow", {}, { timeoutMs: 1_000, maxTotalMs: 2_500 }));
  const settled = vi.fn();
  void failing.then(settled);
  for (let step = 1; step <= 6; step++) {
    await vi.advanceTimersByTimeAsync(400);
    progress(server, step);
    await vi.advanceTimersByTimeAsync(0);
  }
  expect(settled).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(100);
  expect(await failing).toMatchObject({ code: "TIMEOUT" });
  expect(cancelled(server)).toHaveLength(1);
});

test("PRG-13, PRG-08: a token is sent wherever, and only where, progress could change something", async () => {
  const { client, server } = await connected(done);
  const tokens = (): readonly unknown[] =>
    server.received.slice(1).map((message) => message.params?._meta?.["progressToken"]);
  await client.callTool("extends");
  await client.callTool("cannot", {}, { timeoutMs: 1_000, maxTotalMs: 1_000 });
  await client.callTool("hears", {}, { timeoutMs: 1_000, maxTotalMs: 1_000, onProgress: () => {} });
  expect(tokens()).toEqual([expect.any(Number), undefined, expect.any(Number)]);
});

test("progress goes to its own call", async () => {
  const { client, server } = await connected("silence");
  const [first, second] = [vi.fn(), vi.fn()];
  const calls = [client.callTool("a", {}, { onProgress: first }), client.callTool("b", {}, { onProgress: second })];
  progress(server, 0.5, {}, 0);
  await vi.advanceTimersByTimeAsync(0);
  expect(first).toHaveBeenCalledExactlyOnceWith(0.5, undefined, undefined);
  expect(second).not.toHaveBeenCalled();
  await client.close();
  await Promise.allSettled(calls);
});

test("BUG-84, PRG-10: progress that comes late is dropped; only a token that was never given out is reported", async () => {
  const report = vi.fn();
  const onNotification = vi.fn();
  const { client, server } = await connected(done, { report, onNotification });
  await client.callTool("x");
  progress(server, 1);
  await vi.advanceTimersByTimeAsync(0);
  expect(report).not.toHaveBeenCalled();
  for (const progressToken of [99, "never", undefined]) {
    server.last.send({ method: "notifications/progress", params: { progressToken, progress: 1 } });
  }
  await vi.advanceTimersByTimeAsync(0);
  expect(report.mock.calls).toEqual([
    [{ kind: "stray_progress", token: 99 }],
    [{ kind: "stray_progress", token: "never" }],
    [{ kind: "stray_progress", token: undefined }],
  ]);
  expect(onNotification).not.toHaveBeenCalled();
});

test("a progress callback that throws costs nothing but a report", async () => {
  const report = vi.fn();
  const { client } = await connected(
    (message, run) => {
      const progressToken = message.params?._meta?.["progressToken"];
      run.send({ method: "notifications/progress", params: { progressToken, progress: 1 } });
      return done;
    },
    { report },
  );
  const onProgress = (): never => {
    throw new Error("mine");
  };
  expect(await client.callTool("x", {}, { onProgress })).toEqual({ content: [] });
  expect(report).toHaveBeenCalledExactlyOnceWith({ kind: "callback_failed", error: new Error("mine") });
});

test("BUG-122: a long-lived signal gathers no listeners", async () => {
  const { client } = await connected(done);
  const controller = new AbortController();
  const { signal } = controller;
  let listeners = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    listeners++;
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    listeners--;
    remove(...args);
  };
  for (let round = 0; round < 1_000; round++) await client.callTool("x", {}, { signal });
  expect(listeners).toBe(0);
  const open = client.callTool("x", {}, { signal });
  expect(listeners).toBeLessThanOrEqual(1);
  await open;
});

test("BUG-125: calls that are aborted before they leave send nothing and leave nothing behind", async () => {
  const { client, server } = await connected(done);
  const reason = new Error("before");
  const signal = AbortSignal.abort(reason);
  for (let round = 0; round < 10_000; round++) {
    expect(await caught(client.callTool("x", {}, { signal }))).toBe(reason);
  }
  expect(server.methods).toEqual(["server/discover"]);
  await client.close();
  expect(vi.getTimerCount()).toBe(0);
});

test("one timer serves all calls, and none is left when the client is closed", async () => {
  const { client } = await connected("silence");
  const calls = Array.from({ length: 100 }, (_, index) =>
    caught(client.callTool("x", {}, { timeoutMs: 1_000 + index * 10 })),
  );
  await vi.advanceTimersByTimeAsync(0);
  expect(vi.getTimerCount()).toBe(1);
  await client.close();
  for (const error of await Promise.all(calls)) expect(error).toMatchObject({ code: "CLOSED" });
  expect(vi.getTimerCount()).toBe(0);
});

test.each([
  [{ timeoutMs: "1s" }, "timeoutMs is 1s, and should be 0 or more milliseconds"],
  [{ timeoutMs: Number.NaN }, "timeoutMs is NaN, and should be 0 or more milliseconds"],
  [{ timeoutMs: "50" }, "timeoutMs is 50, and should be 0 or more milliseconds"],
  [{ timeoutMs: null }, "timeoutMs is null, and should be 0 or more milliseconds"],
  [{ maxTotalMs: Number.NaN }, "maxTotalMs is NaN, and should be 0 or more milliseconds"],
  [{ maxTotalMs: -1 }, "maxTotalMs is -1, and should be 0 or more milliseconds"],
])("a call with %o is not sent, and the error says what would be right", async (options, message) => {
  const { client, server } = await connected(done);
  const failure = await caught(client.callTool("x", {}, options as never));
  expect(failure).toMatchObject({ code: "INVALID_ARGUMENT", message });
  expect(server.methods).not.toContain("tools/call");
});

test("a signal is listened to once, however many calls share it, and ends all of them", async () => {
  const { client } = await connected("silence");
  const controller = new AbortController();
  const listening = vi.spyOn(controller.signal, "addEventListener");
  const calls = Array.from({ length: 20 }, () => caught(client.callTool("x", {}, { signal: controller.signal })));
  await vi.advanceTimersByTimeAsync(0);
  expect(listening).toHaveBeenCalledTimes(1);
  controller.abort("enough");
  expect(new Set(await Promise.all(calls))).toEqual(new Set(["enough"]));
});
