import { AccessError, LocalError, RpcError } from "@parlance/jsonrpc";
import type { Call, Outcome } from "@parlance/protocol-versions";
import { afterEach, expect, test, vi } from "vitest";
import {
  type CallRecord,
  concurrencyLimit,
  deadline,
  logCalls,
  maskErrors,
  rateLimit,
  resultLimit,
} from "../middleware.js";
import { done, later, toolCall } from "./call.fixture.js";

afterEach(() => vi.useRealTimers());

const text = (value: string): Outcome => ({ type: "complete", result: { content: [{ type: "text", text: value }] } });
const thrown = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return error;
  }
};

test("a tool that is late ends with a result that says so, and its signal aborts with TIMEOUT", async () => {
  vi.useFakeTimers();
  let heard: AbortSignal | undefined;
  const feature = deadline({ ms: 50, tools: { slow: 5000 } })((call) => {
    heard = call.signal;
    return new Promise(() => {});
  });
  const outcome = feature(toolCall());
  vi.advanceTimersByTime(50);
  expect(await outcome).toEqual({
    type: "complete",
    result: { content: [{ type: "text", text: "dice did not finish within 50 ms" }], isError: true },
  });
  expect(heard?.reason).toBeInstanceOf(LocalError);
  expect(heard?.reason).toMatchObject({ code: "TIMEOUT", details: { tool: "dice", timeoutMs: 50 } });

  const slow = feature(toolCall({ params: { name: "slow" } }));
  vi.advanceTimersByTime(4999);
  expect(heard?.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(await slow).toMatchObject({ result: { isError: true } });
});

test("a deadline passes on a cancellation, keeps no timer, and leaves other methods alone", async () => {
  vi.useFakeTimers();
  const ending = new AbortController();
  let heard: AbortSignal | undefined;
  const answer = later<Outcome>();
  const feature = deadline({ ms: 50 })((call) => {
    heard = call.signal;
    return answer.promise;
  });
  const outcome = feature(toolCall({ signal: ending.signal }));
  ending.abort("no longer wanted");
  expect(heard?.reason).toBe("no longer wanted");
  answer.resolve(done);
  expect(await outcome).toBe(done);
  expect(vi.getTimerCount()).toBe(0);
  void feature(toolCall({ method: "resources/read" }));
  expect(vi.getTimerCount()).toBe(0);
  expect(deadline({ ms: 50 })(() => done)(toolCall())).toBe(done);
});

test.each([0, -1, 1.5, Number.NaN])("a deadline of %s ms is refused", (ms) => {
  expect(() => deadline({ ms })).toThrow(`ms is ${ms}, and should be a whole number of milliseconds, 1 or more`);
  expect(() => deadline({ ms: 5, tools: { dice: ms } })).toThrow('tools["dice"] is');
});

test("calls above the limit wait for their turn in order, and those above the queue are RATE_LIMITED", async () => {
  const answers = [later<Outcome>(), later<Outcome>(), later<Outcome>()];
  let started = 0;
  const feature = concurrencyLimit({ max: 1, maxQueued: 2 })(() => answers[started++]?.promise ?? done);
  const outcomes = [feature(toolCall()), feature(toolCall()), feature(toolCall())];
  expect(started).toBe(1);
  const refused = thrown(() => feature(toolCall()));
  expect(refused).toBeInstanceOf(AccessError);
  expect(refused).toMatchObject({ code: "RATE_LIMITED", retryAfterMs: 1000 });
  expect((refused as Error).message).toBe("1 calls are running and 2 are waiting, which is the limit");
  answers[0]?.resolve(text("first"));
  expect(await outcomes[0]).toEqual(text("first"));
  await vi.waitFor(() => expect(started).toBe(2));
  answers[1]?.resolve(text("second"));
  answers[2]?.resolve(text("third"));
  expect(await Promise.all(outcomes)).toEqual([text("first"), text("second"), text("third")]);
  expect(feature(toolCall())).toBe(done);
});

test("a call that is cancelled while it waits never runs and frees its place", async () => {
  const ending = new AbortController();
  const first = later<Outcome>();
  const ran: unknown[] = [];
  const feature = concurrencyLimit({ max: 1, maxQueued: 1 })((call) => {
    ran.push(call.params["n"]);
    return first.promise;
  });
  const running = feature(toolCall({ params: { n: 1 } }));
  const waiting = feature(toolCall({ params: { n: 2 }, signal: ending.signal }));
  ending.abort(new Error("cancelled"));
  await expect(waiting).rejects.toThrow("cancelled");
  const next = feature(toolCall({ params: { n: 3 } }));
  first.resolve(done);
  await Promise.all([running, next]);
  expect(ran).toEqual([1, 3]);
});

test("a call that throws, at once or later, gives its place back; other methods need none", async () => {
  let fault: () => Outcome | Promise<Outcome> = () => done;
  const feature = concurrencyLimit({ max: 1 })(() => fault());
  fault = () => {
    throw new Error("at once");
  };
  expect(() => feature(toolCall())).toThrow("at once");
  fault = () => Promise.reject(new Error("later"));
  await expect(feature(toolCall())).rejects.toThrow("later");
  fault = () => new Promise(() => {});
  void feature(toolCall());
  expect(() => feature(toolCall())).toThrow(AccessError);
  fault = () => done;
  expect(feature(toolCall({ method: "tools/list" }))).toBe(done);
});

test("a rate is kept for each principal, and refills evenly", () => {
  let nowMs = 0;
  const feature = rateLimit({ max: 2, perMs: 1000, now: () => nowMs })(() => done);
  const ada = toolCall({ principal: { id: "ada", scopes: [] } });
  expect([feature(ada), feature(ada)]).toEqual([done, done]);
  expect(thrown(() => feature(ada))).toMatchObject({ code: "RATE_LIMITED", retryAfterMs: 500 });
  expect(feature(toolCall({ principal: { id: "bob", scopes: [] } }))).toBe(done);
  nowMs = 499;
  expect(thrown(() => feature(ada))).toMatchObject({ retryAfterMs: 1 });
  nowMs = 500;
  expect(feature(ada)).toBe(done);
  expect(() => feature(ada)).toThrow("2 calls in 1000 ms are the limit");
  expect(feature(toolCall({ method: "tools/list", principal: { id: "ada", scopes: [] } }))).toBe(done);
});

test("a hundred thousand principals that came once are forgotten again", () => {
  let nowMs = 0;
  const keys = new Set<string>();
  const original = Map.prototype.delete;
  const forgotten = vi.spyOn(Map.prototype, "delete").mockImplementation(function (this: Map<unknown, unknown>, key) {
    keys.add(String(key));
    return original.call(this, key);
  });
  const feature = rateLimit({ max: 1, perMs: 10, now: () => nowMs })(() => done);
  for (let n = 0; n < 100_000; n += 1) {
    nowMs += 1;
    void feature(toolCall({ principal: { id: `p${n}`, scopes: [] } }));
  }
  forgotten.mockRestore();
  expect(keys.size).toBeGreaterThan(97_000);
});

test("a result that is too long is withheld: a tool's as an error to learn from, another's as −32603", async () => {
  const limit = resultLimit({ maxLength: 40 });
  expect(limit(() => text("short"))(toolCall())).toEqual(text("short"));
  expect(limit(() => text("x".repeat(50)))(toolCall())).toEqual({
    type: "complete",
    result: {
      content: [{ type: "text", text: "dice: the result is 75 characters long, and 40 are the limit; ask for less" }],
      isError: true,
    },
  });
  const read = toolCall({ method: "resources/read", params: { uri: "a:b" } });
  await expect(limit(async () => text("x".repeat(50)))(read)).rejects.toMatchObject({
    code: -32603,
    data: { length: 75, maxLength: 40 },
  });
  const list = toolCall({ method: "tools/list", params: {} });
  expect(limit(() => text("x".repeat(50)))(list)).toEqual(text("x".repeat(50)));
  const deep = Array.from({ length: 100_000 }).reduce((inner: unknown) => [inner], "end");
  expect(limit(() => ({ type: "complete", result: { deep } }))(toolCall())).toMatchObject({ type: "complete" });
});

test.each([
  ["lists of nothing", Array.from({ length: 1_000 }, () => [])],
  ["objects of nothing", Array.from({ length: 1_000 }, () => ({}))],
  ["a circle", circle()],
])("a result of %s is too long", (_, structuredContent) => {
  const outcome = resultLimit({ maxLength: 100 })(() => ({ type: "complete", result: { structuredContent } }))(
    toolCall(),
  );
  expect(outcome).toMatchObject({ type: "complete", result: { isError: true } });
  expect(JSON.stringify(outcome)).toContain("characters long or more, and 100 are the limit");
});

function circle(): unknown[] {
  const round: unknown[] = [];
  round.push(round);
  return round;
}

test("an RpcError that is not let through becomes an internal error, and is heard under the same id", async () => {
  const heard: unknown[] = [];
  const mask = maskErrors({
    pass: (error) => error.code === -32602,
    message: "Something went wrong",
    onError: (error, context) => heard.push(error, context),
  });
  const secret = new RpcError(-32000, "password is swordfish");
  const fail = (error: unknown) => mask(() => Promise.reject(error))(toolCall());
  const shown: unknown = await Promise.resolve(fail(secret)).catch((error: unknown) => error);
  expect(shown).toMatchObject({ code: -32603, message: "Something went wrong", cause: secret });
  const { correlationId } = (shown as { data: { correlationId: string } }).data;
  expect(heard).toEqual([secret, { method: "tools/call", correlationId }]);
  const throwing = mask(() => {
    throw secret;
  });
  expect(thrown(() => throwing(toolCall()))).toMatchObject({ code: -32603 });
  await expect(fail(new RpcError(-32602, "wrong argument"))).rejects.toMatchObject({ code: -32602 });
  await expect(fail(new AccessError("RATE_LIMITED", "too many"))).rejects.toMatchObject({ code: "RATE_LIMITED" });
  expect(mask(() => done)(toolCall())).toBe(done);
});

test("every call leaves one record, without arguments, results or texts", async () => {
  const records: CallRecord[] = [];
  let nowMs = 0;
  const log = logCalls({ log: (record) => records.push(record), now: () => nowMs });
  const call = toolCall({ params: { name: "dice", arguments: { pin: "1234" } }, principal: { id: "ada", scopes: [] } });
  const answers: readonly ((given: Call) => Outcome | Promise<Outcome>)[] = [
    () => done,
    async () => {
      nowMs += 7;
      return { type: "complete", result: { content: [], isError: true } };
    },
    () => ({ type: "refused", reason: "not_found", message: "secret" }),
    () => ({ type: "input_required" }),
    () => Promise.reject(new RpcError(-32000, "secret")),
    () => {
      throw new Error("secret");
    },
  ];
  for (const answer of answers) await Promise.resolve(thrown(() => log(answer)(call))).catch(() => {});
  const cancelled = toolCall({ method: "resources/read", params: { uri: "a:b" }, signal: AbortSignal.abort() });
  await Promise.resolve(log(() => Promise.reject(new Error("secret")))(cancelled)).catch(() => {});
  const common = { method: "tools/call", target: "dice", version: call.version, principal: "ada", client: "tester" };
  expect(records).toEqual([
    { ...common, durationMs: 0, outcome: "complete" },
    { ...common, durationMs: 7, outcome: "tool_error" },
    { ...common, durationMs: 0, outcome: "refused", reason: "not_found" },
    { ...common, durationMs: 0, outcome: "input_required" },
    { ...common, durationMs: 0, outcome: "failed", reason: -32000 },
    { ...common, durationMs: 0, outcome: "failed", reason: "internal" },
    { ...common, method: "resources/read", target: "a:b", principal: undefined, durationMs: 0, outcome: "cancelled" },
  ]);
});

test("a logger that throws changes nothing for the caller", async () => {
  const broken = logCalls({
    log: () => {
      throw new Error("no disk");
    },
  });
  expect(broken(() => text("x"))(toolCall())).toEqual(text("x"));
  expect(await broken(async () => text("x"))(toolCall())).toEqual(text("x"));
  const failing = broken(() => Promise.reject(new RpcError(1, "mine")));
  await expect(failing(toolCall())).rejects.toMatchObject({ code: 1 });
});
