import { AccessError, answer, type Exchange, LocalError, RpcError, type RpcRequest } from "@parlance/jsonrpc";
import {
  announcing,
  type Change,
  createChangeBus,
  type FeatureSet,
  type ServerEra,
  type ServerFacts,
} from "@parlance/protocol-versions";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { changesOf } from "./changes.js";
import type { FeatureMiddleware } from "./feature-set.js";
import type { ServerReport } from "./report.js";
import { createServer, type Server } from "./server.js";

const info = { name: "test", version: "1.0.0" };

/** An era that hands each request to the feature of its method, and shows what it was given. */
function plainEra(name: ServerEra["name"], claims: ServerEra["claims"] = () => true) {
  const seen: { facts?: ServerFacts; served: string[]; noticed: string[] } = { served: [], noticed: [] };
  const era: ServerEra = {
    name,
    versions: name === "stateless" ? ["2026-07-28"] : ["2025-11-25", "2025-06-18"],
    claims,
    serve: (request, exchange, facts) => {
      seen.facts = facts;
      seen.served.push(request.method);
      const feature = facts.methods.get(request.method);
      if (feature === undefined) throw new RpcError(-32601, "Method not found");
      return feature({ signal: exchange.signal } as never) as never;
    },
    notice: (message) => void seen.noticed.push(message.method),
  };
  return { era, seen };
}

function feature(method: string, run: (signal: AbortSignal) => unknown): FeatureSet {
  return { capabilities: {}, methods: { [method]: ({ signal }) => run(signal) as never } };
}

function exchange(ending = new AbortController()): Exchange {
  const { signal } = ending;
  const stop = (reason: Error): void => ending.abort(reason);
  return { connection: { closed: new AbortController().signal }, signal, notify: async () => undefined, stop };
}

const request = (method: string): RpcRequest => ({ jsonrpc: "2.0", id: 1, method });

async function ask(server: Server, method: string, on: Exchange = exchange()): Promise<unknown> {
  return server.request(request(method), on);
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("stateless is asked first whatever the order, and its revisions are listed first", async () => {
  const [handshake, stateless] = [plainEra("handshake"), plainEra("stateless")];
  const server = createServer({ info, features: [feature("do", () => ({}))], eras: [handshake.era, stateless.era] });
  await ask(server, "do");
  expect(handshake.seen.served).toEqual([]);
  expect(stateless.seen.served).toEqual(["do"]);
  expect(stateless.seen.facts?.versions).toEqual(["2026-07-28", "2025-11-25", "2025-06-18"]);
});

test("what no era claims is answered by the newest", async () => {
  const [handshake, stateless] = [plainEra("handshake", () => false), plainEra("stateless", () => false)];
  const server = createServer({ info, features: [], eras: [handshake.era, stateless.era] });
  await expect(ask(server, "no/such")).rejects.toMatchObject({ code: -32601 });
  expect(stateless.seen.served).toEqual(["no/such"]);
});

test("a notification goes to the era that claims it, and to none when none does", () => {
  const stateless = plainEra("stateless", () => false);
  const handshake = plainEra("handshake", (message) => message.method === "mine");
  const server = createServer({ info, features: [], eras: [stateless.era, handshake.era] });
  const { connection } = exchange();
  server.notification?.({ jsonrpc: "2.0", method: "mine" }, connection);
  server.notification?.({ jsonrpc: "2.0", method: "nobody's" }, connection);
  expect(stateless.seen.noticed).toEqual([]);
  expect(handshake.seen.noticed).toEqual(["mine"]);
});

test("an answer that was there at once is given at once", () => {
  const result = { done: true };
  const server = createServer({ info, features: [feature("do", () => result)], eras: [plainEra("stateless").era] });
  expect(server.request(request("do"), exchange())).toBe(result);
});

test("middleware stands around every feature, the first outermost", async () => {
  const order: string[] = [];
  const step =
    (name: string): FeatureMiddleware =>
    (next) =>
    (call) => {
      order.push(name);
      return next(call);
    };
  const server = createServer({
    info,
    features: [feature("do", () => ({ at: order.push("feature") }))],
    eras: [plainEra("stateless").era],
    middleware: [step("first"), step("second")],
  });
  await ask(server, "do");
  expect(order).toEqual(["first", "second", "feature"]);
});

test("handler middleware sees every request and notification", async () => {
  const seen: string[] = [];
  const server = createServer({
    info,
    features: [feature("do", () => ({}))],
    eras: [plainEra("stateless").era],
    handlerMiddleware: [
      (next) => ({
        request: (message, on) => {
          seen.push(message.method);
          return next.request(message, on);
        },
        notification: (message, on) => {
          seen.push(message.method);
          next.notification?.(message, on);
        },
      }),
    ],
  });
  await ask(server, "do");
  server.notification?.({ jsonrpc: "2.0", method: "heard" }, exchange().connection);
  expect(seen).toEqual(["do", "heard"]);
});

test("ERR-10: an unexpected error becomes Internal error with a correlation id; the original goes to onError", async () => {
  const secret = new Error("secret");
  const onError = vi.fn();
  const report = vi.fn<(report: ServerReport) => void>();
  for (const fail of [
    () => Promise.reject(secret),
    () => {
      throw secret;
    },
  ]) {
    const server = createServer({
      info,
      features: [feature("do", fail)],
      eras: [plainEra("stateless").era],
      onError,
      report,
    });
    const error = await ask(server, "do").catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RpcError);
    const { correlationId } = (error as { data: { correlationId: string } }).data;
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      code: -32603,
      message: "Internal error",
      data: { correlationId },
    });
    expect(onError).toHaveBeenLastCalledWith(secret, { method: "do", correlationId });
    expect(report).toHaveBeenLastCalledWith({ kind: "internal_error", error: secret, method: "do", correlationId });
  }
});

test("an answer that a feature meant passes as it is", async () => {
  const onError = vi.fn();
  for (const meant of [new RpcError(4242, "nope", { data: [1] }), new AccessError("RATE_LIMITED", "slow down")]) {
    const failing = feature("do", () => Promise.reject(meant));
    const server = createServer({ info, features: [failing], eras: [plainEra("stateless").era], onError });
    await expect(ask(server, "do")).rejects.toBe(meant);
  }
  expect(onError).not.toHaveBeenCalled();
});

test("a call that stops because it was cancelled is no fault", async () => {
  const onError = vi.fn();
  const cancel = new AbortController();
  const server = createServer({ info, features: [stubborn("do")], eras: [plainEra("stateless").era], onError });
  const asked = ask(server, "do", exchange(cancel));
  cancel.abort();
  await expect(asked).rejects.toMatchObject({ code: -32603 });
  expect(onError).not.toHaveBeenCalled();
});

test("an onError or a report that throws changes nothing for the caller", async () => {
  const report = vi.fn(() => {
    throw new Error("third");
  });
  const server = createServer({
    info,
    features: [feature("do", () => Promise.reject(new Error("first")))],
    eras: [plainEra("stateless").era],
    report,
    onError: () => {
      throw new Error("second");
    },
  });
  await expect(ask(server, "do")).rejects.toMatchObject({ code: -32603 });
  expect(report).toHaveBeenCalledOnce();
});

test("BUG-19: an onError and a report that reject change nothing either", async () => {
  // a rejection that nobody handles fails the run
  const report = vi.fn(() => Promise.reject(new Error("third")));
  const server = createServer({
    info,
    features: [feature("do", () => Promise.reject(new Error("first")))],
    eras: [plainEra("stateless").era],
    report,
    onError: () => Promise.reject(new Error("second")),
  });
  await expect(ask(server, "do")).rejects.toMatchObject({ code: -32603 });
  expect(report).toHaveBeenCalledOnce();
});

test("BUG-66: a notification that makes the server fail is still not answered", async () => {
  const { era } = plainEra("stateless");
  const failing: ServerEra = {
    ...era,
    notice: () => {
      throw new Error("inside");
    },
  };
  const server = createServer({ info, features: [], eras: [failing] });
  expect(await answer(server, '{"jsonrpc":"2.0","method":"x"}')).toBeUndefined();
});

test("changes reach the bus, those of feature sets too, until the server is closed", async () => {
  const bus = createChangeBus();
  const heard: Change[] = [];
  bus.subscribe((change) => heard.push(change));
  let change: (change: Change) => void = () => undefined;
  const end = vi.fn();
  const set: FeatureSet = {
    ...announcing,
    capabilities: {},
    methods: {},
    changed: (listener) => {
      change = listener;
      return end;
    },
  };
  const server = createServer({ info, features: [set], eras: [plainEra("stateless").era], changes: bus });
  changesOf(server).tools();
  changesOf(server).prompts();
  changesOf(server).resources();
  changesOf(server).resource("box:///a");
  change({ type: "tools" });
  await server.close();
  changesOf(server).tools();
  expect(end).toHaveBeenCalledOnce();
  expect(heard.map(({ type }) => type)).toEqual(["tools", "prompts", "resources", "resource", "tools"]);
});

test("closing ends the subscriptions of the server and leaves those of others", async () => {
  const bus = createChangeBus();
  const { era, seen } = plainEra("stateless");
  const features = [{ ...announcing, ...feature("do", () => ({})) }];
  const server = createServer({ info, features, eras: [era], changes: bus });
  await ask(server, "do");
  const [mine, others] = [vi.fn(), vi.fn()];
  seen.facts?.changes.subscribe(mine);
  bus.subscribe(others);
  await server.close();
  bus.publish({ type: "tools" });
  seen.facts?.changes.subscribe(mine);
  bus.publish({ type: "tools" });
  expect(mine).not.toHaveBeenCalled();
  expect(others).toHaveBeenCalledTimes(2);
});

/** Runs until its signal aborts. */
function stubborn(method: string): FeatureSet {
  return feature(
    method,
    (signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  );
}

test("BUG-28: close refuses what is new, waits for what runs, then aborts it", async () => {
  const report = vi.fn();
  const { era, seen } = plainEra("stateless");
  const server = createServer({ info, features: [stubborn("do")], eras: [era], drainMs: 1_000, report });
  const running = ask(server, "do").catch((error: unknown) => error);
  const closed = server.close();
  expect(seen.facts?.closing.aborted).toBe(true);
  await expect(ask(server, "do")).rejects.toMatchObject({ code: -32603, message: "The server is closing" });
  await vi.advanceTimersByTimeAsync(999);
  expect(report).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(await running).toMatchObject({ code: -32603 });
  await closed;
  expect(report.mock.calls).toEqual([[{ kind: "calls_aborted", count: 1 }]]);
});

test("close settles as soon as the last call is done", async () => {
  let finish: (result: object) => void = () => undefined;
  const server = createServer({
    info,
    features: [feature("do", () => new Promise((resolve) => (finish = resolve)))],
    eras: [plainEra("stateless").era],
  });
  const running = ask(server, "do");
  const closed = server.close();
  finish({ done: true });
  expect(await running).toEqual({ done: true });
  await closed;
  expect(vi.getTimerCount()).toBe(0);
});

test("close waits as long as a call takes where drainMs is Infinity", async () => {
  let finish: (result: object) => void = () => undefined;
  const slow = feature("do", () => new Promise((resolve) => (finish = resolve)));
  const report = vi.fn();
  const eras = [plainEra("stateless").era];
  const server = createServer({ info, features: [slow], eras, drainMs: Number.POSITIVE_INFINITY, report });
  const running = ask(server, "do");
  const closed = server.close();
  await vi.advanceTimersByTimeAsync(86_400_000);
  finish({ done: true });
  expect(await running).toEqual({ done: true });
  await closed;
  expect(report).not.toHaveBeenCalled();
});

test("close does not wait for ever for a call that ignores its signal", async () => {
  const server = createServer({
    info,
    features: [feature("do", () => new Promise(() => undefined))],
    eras: [plainEra("stateless").era],
    drainMs: 0,
  });
  void ask(server, "do");
  const closed = server.close();
  await vi.advanceTimersByTimeAsync(1_000);
  await closed;
});

test("BUG-29: close is idempotent", async () => {
  const server = createServer({ info, features: [], eras: [plainEra("stateless").era] });
  expect(server.close()).toBe(server.close());
  await server.close();
});

test("a wrong option is refused at once, with its value and what would be right", () => {
  const wrong: readonly [unknown, string][] = [
    [{ info: undefined, features: [] }, "info is undefined, and should be { name, version }"],
    [{ info: { name: "", version: "1" }, features: [] }, 'info is {"name":"","version":"1"}'],
    [{ info: { name: "a" }, features: [] }, 'info is {"name":"a"}'],
    [{ info }, "features is undefined, and should be a list such as [tools([tool])]"],
    [{ info, features: { methods: {} } }, 'features is {"methods":{}}, and should be a list such as [tools([tool])]'],
    [{ info, features: [{ name: "time", run: () => {} }] }, 'features is [{"name":"time"}], and should be a list such'],
    [{ info, features: [], eras: [] }, "eras is [], and should be a list of stateless(), handshake() or both"],
    [{ info, features: [feature("a", () => ({})), feature("a", () => ({}))] }, 'two feature sets answer "a"'],
  ];
  for (const [options, message] of wrong) {
    const make = () => createServer(options as never);
    expect(make).toThrow(LocalError);
    expect(make).toThrow(message);
    expect(make).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  }
});
