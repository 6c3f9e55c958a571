import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { parse } from "./codec.js";
import { AccessError, RpcError } from "./error.js";
import type { Handler } from "./handler.js";
import { deferred, openWire, request, settled } from "./wire.fixture.js";

describe("answering requests", () => {
  test("JR-08: an answer repeats the id with its type, also 0 and the empty string", async () => {
    const wire = await openWire({ request: () => ({}) });
    for (const id of ["7", 7, 0, "", -1]) wire.receive(request(id));
    expect(wire.sent).toEqual(["7", 7, 0, "", -1].map((id) => ({ jsonrpc: "2.0", id, result: {} })));
  });

  test("a handler that answers at once is answered for in the same turn, one that waits later", async () => {
    const slow = deferred<object>();
    const wire = await openWire({ request: ({ method }) => (method === "slow" ? slow.promise.then(() => ({})) : {}) });
    wire.receive(request(1, "slow"));
    wire.receive(request(2, "fast"));
    expect(wire.sent).toMatchObject([{ id: 2 }]);
    slow.resolve({});
    await settled();
    expect(wire.sent).toMatchObject([{ id: 2 }, { id: 1 }]);
  });

  test("a promise is told by its `then`", async () => {
    // biome-ignore lint/suspicious/noThenProperty: a thenable is what this is about
    const thenable = { then: (yes: (value: object) => void) => yes({ of: "another realm" }) };
    const wire = await openWire({ request: () => thenable as never });
    wire.receive(request(1));
    expect(wire.sent).toMatchObject([{ result: { of: "another realm" } }]);
  });

  test("JR-10: a result that is no object becomes an internal error, and the reason is reported", async () => {
    const wire = await openWire({ request: async () => ["an array"] as never });
    wire.receive(request(1));
    await settled();
    expect(wire.sent).toEqual([{ jsonrpc: "2.0", id: 1, error: { code: -32603, message: "Internal error" } }]);
    expect(wire.reports).toMatchObject([{ kind: "handler_failed", id: 1, error: { code: "INVALID_ARGUMENT" } }]);
  });

  const failing: readonly [string, Handler["request"]][] = [
    [
      "throws",
      () => {
        throw new Error("secret");
      },
    ],
    ["rejects", () => Promise.reject(new Error("secret"))],
    [
      "promises what throws",
      () => {
        const promised = Promise.resolve({});
        vi.spyOn(promised, "then").mockImplementation(() => {
          throw new Error("secret");
        });
        return promised;
      },
    ],
    [
      "throws no error",
      () => {
        throw "secret";
      },
    ],
  ];

  test.each(failing)(
    "ERR-10: a handler that %s is answered for with a fixed text; the original is only reported",
    async (_, handle) => {
      const wire = await openWire({ request: handle });
      wire.receive(request(1));
      await settled();
      expect(wire.texts).toEqual(['{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Internal error"}}']);
      expect(wire.reports).toMatchObject([{ kind: "handler_failed", method: "tools/call" }]);
    },
  );

  test("BUG-71: an RpcError goes out as it is, without its cause", async () => {
    const error = new RpcError(4242, "nope", { data: { retryAfter: [1] }, cause: new Error("secret"), early: true });
    const wire = await openWire({ request: () => Promise.reject(error) });
    wire.receive(request(1));
    await settled();
    expect(wire.sent).toEqual([
      { jsonrpc: "2.0", id: 1, error: { code: 4242, message: "nope", data: { retryAfter: [1] } } },
    ]);
    expect(wire.reports).toEqual([]);
  });

  test("an AccessError says on a pipe what HTTP says by its status", async () => {
    const errors = [
      new AccessError("INSUFFICIENT_SCOPE", "needs files:write", { scopes: ["files:write"] }),
      new AccessError("RATE_LIMITED", "too fast", { retryAfterMs: 50 }),
    ];
    const wire = await openWire({ request: () => Promise.reject(errors.shift()) });
    wire.receive(request(1));
    wire.receive(request(2));
    await settled();
    expect(wire.sent).toMatchObject([
      {
        error: {
          code: 403,
          message: "needs files:write",
          data: { reason: "INSUFFICIENT_SCOPE", scopes: ["files:write"] },
        },
      },
      { error: { code: 429, message: "too fast", data: { reason: "RATE_LIMITED", retryAfterMs: 50 } } },
    ]);
  });

  test("JR-11: an error that cannot be written as one becomes one that can", async () => {
    const errors = [new RpcError(1.5, "half a code"), new RpcError(1, "data without JSON", { data: 1n })];
    const wire = await openWire({ request: () => Promise.reject(errors.shift()) });
    wire.receive(request(1));
    wire.receive(request(2));
    await settled();
    expect(wire.sent).toMatchObject([
      { error: { code: -32603, message: "half a code" } },
      { error: { code: -32603, message: "Internal error" } },
    ]);
  });

  test("BUG-67: a notification's method with an id is a request like any other", async () => {
    const heard: string[] = [];
    const wire = await openWire({
      request: ({ method }) => {
        throw new RpcError(-32601, `unknown method ${method}`);
      },
      notification: ({ method }) => void heard.push(method),
    });
    wire.receive(request("n1", "notifications/initialized"));
    expect(wire.sent).toMatchObject([{ id: "n1", error: { code: -32601 } }]);
    expect(heard).toEqual([]);
  });

  test("a second request with an id in use is refused without that id, and the first is still answered", async () => {
    const first = deferred<object>();
    let runs = 0;
    const wire = await openWire({
      request: async () => {
        runs++;
        await first.promise;
        return { first: true };
      },
    });
    wire.receive(request(1));
    wire.receive(request(1));
    expect(wire.sent).toMatchObject([{ error: { code: -32600, message: "request id 1 is in use" } }]);
    expect(wire.sent[0]).not.toHaveProperty("id");
    expect(wire.reports).toEqual([{ kind: "duplicate_request", id: 1, method: "tools/call" }]);
    first.resolve({});
    await settled();
    expect(wire.sent[1]).toMatchObject({ id: 1, result: { first: true } });
    expect(runs).toBe(1);
    wire.receive(request(1));
    expect(runs).toBe(2);
  });

  test("JR-12: of an id that is in use, however long, a short line is told", async () => {
    const wire = await openWire({ request: () => new Promise(() => {}) });
    const id = "two\nlines ".repeat(10_000);
    wire.receive(request(id));
    wire.receive(request(id));
    expect(wire.sent).toMatchObject([{ error: { code: -32600, message: expect.stringMatching(/^[^\n]{1,199}$/) } }]);
  });

  test('`7` and `"7"` are two ids', async () => {
    const wire = await openWire({ request: () => new Promise(() => {}) });
    wire.receive(request(7));
    wire.receive(request("7"));
    expect(wire.reports).toEqual([]);
  });
});

describe("hearing notifications", () => {
  test("JR-16, BUG-66: no notification is ever answered, not even one that is malformed or that nobody knows", async () => {
    const wire = await openWire({
      notification: () => {
        throw new Error("unknown");
      },
    });
    for (const notification of [
      { jsonrpc: "2.0", method: "notifications/roots/list_changed" },
      { jsonrpc: "2.0", method: "no/such" },
      { jsonrpc: "2.0", method: "no/such", params: [1] },
      { jsonrpc: "1.0", method: "no/such" },
      { method: "no/such" },
    ])
      wire.receive(notification);
    await settled();
    expect(wire.sent).toEqual([]);
    expect(wire.reports.map(({ kind }) => kind)).toEqual([
      "handler_failed",
      "handler_failed",
      "malformed",
      "malformed",
      "malformed",
    ]);
  });

  test("an async listener that rejects is reported", async () => {
    const wire = await openWire({
      notification: async () => {
        throw new Error("later");
      },
    });
    wire.receive({ jsonrpc: "2.0", method: "a" });
    await settled();
    expect(wire.reports).toEqual([{ kind: "handler_failed", method: "a", error: new Error("later") }]);
  });

  test("a handler without `notification` hears none", async () => {
    const wire = await openWire();
    wire.receive({ jsonrpc: "2.0", method: "a" });
    expect(wire.reports).toEqual([]);
  });
});

describe("refusing what is malformed", () => {
  const broken = [
    "{ not json",
    "null",
    "{}",
    { jsonrpc: "2.0", id: null, method: "tools/list" },
    request(1.5),
    request({}),
  ];

  test("JR-03, JR-04, JR-13, BUG-64, BUG-68: a server answers without id when it could not be read, and goes on", async () => {
    const wire = await openWire();
    for (const frame of broken) wire.receive(frame);
    expect(wire.sent).toMatchObject([-32700, ...Array(5).fill(-32600)].map((code) => ({ error: { code } })));
    for (const answer of wire.sent) expect(answer).not.toHaveProperty("id");
    wire.receive(request(2));
    expect(wire.sent.at(-1)).toMatchObject({ id: 2, result: {} });
  });

  test("JR-01, JR-17: a request that can be named gets its error by name, and the handler does not run", async () => {
    const wire = await openWire({ request: () => expect.unreachable() });
    wire.receive({ jsonrpc: "1.0", id: 5, method: "a" });
    wire.receive(request("x", "a", [1]));
    expect(wire.sent).toMatchObject([
      { id: 5, error: { code: -32600, message: 'jsonrpc must be "2.0", not "1.0"' } },
      { id: "x", error: { code: -32602, message: "params must be an object, not [1]" } },
    ]);
  });

  test("a client reports it instead, and answers only a request that can be named", async () => {
    const wire = await openWire({}, { malformed: "report" });
    for (const frame of broken) wire.receive(frame);
    wire.receive({ jsonrpc: "2.0", id: 5 });
    expect(wire.sent).toEqual([]);
    expect(wire.reports.map(({ kind }) => kind)).toEqual(Array(7).fill("malformed"));
    wire.receive(request(5, "a", [1]));
    expect(wire.sent).toMatchObject([{ id: 5, error: { code: -32602 } }]);
  });

  test("a malformed response is never answered: two peers would answer each other for ever", async () => {
    const wire = await openWire();
    wire.receive({ jsonrpc: "2.0", id: 9, result: 1 });
    wire.receive({ jsonrpc: "1.0", id: 9, error: {} });
    expect(wire.sent).toEqual([]);
    expect(wire.reports.map(({ kind }) => kind)).toEqual(["malformed", "malformed"]);
  });

  test("JR-09, JR-11: whatever comes, at most one answer leaves, and it is a valid response", async () => {
    const some = fc.oneof(fc.jsonValue(), fc.constantFrom("2.0", "notifications/cancelled", 1, "", { requestId: 1 }));
    const keys = ["jsonrpc", "id", "method", "params", "result", "error"] as const;
    const members = Object.fromEntries(keys.map((key) => [key, some]));
    const frame = fc.oneof(
      fc.string(),
      fc.json(),
      fc.record(members, { requiredKeys: [] }).map((it) => JSON.stringify(it)),
    );
    const wire = await openWire();
    fc.assert(
      fc.property(frame, (text) => {
        const before = wire.texts.length;
        wire.receive(text);
        const answers = wire.texts.slice(before);
        expect(answers.length).toBeLessThanOrEqual(1);
        for (const answer of answers) expect(parse(answer).kind).toBe("response");
      }),
      { numRuns: 500 },
    );
  });

  test("JR-20: nothing that is sent reaches a prototype", async () => {
    const wire = await openWire();
    wire.receive('{"jsonrpc":"2.0","id":1,"method":"a","params":{"__proto__":{"polluted":true}}}');
    expect(wire.texts).toEqual(['{"jsonrpc":"2.0","id":1,"result":{"echo":{"__proto__":{"polluted":true}}}}']);
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });

  test("JR-18: unknown members at every level are no reason to refuse", async () => {
    const wire = await openWire();
    wire.receive({ ...request(1, "a", { "x-extra": 1, deep: { "x-extra": 1 } }), "x-extra": 1 });
    expect(wire.sent).toMatchObject([{ id: 1, result: { echo: { "x-extra": 1, deep: { "x-extra": 1 } } } }]);
  });
});
