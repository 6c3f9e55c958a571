import { describe, expect, test } from "vitest";
import { deferred, openWire, request, settled } from "./wire.fixture.js";

const result = (id: unknown, value: unknown = {}): object => ({ jsonrpc: "2.0", id, result: value });

describe("asking", () => {
  test("a request is written once and resolves with its result", async () => {
    const wire = await openWire();
    const answer = wire.peer.request("a", { x: 1 });
    expect(wire.texts).toEqual(['{"jsonrpc":"2.0","id":1,"method":"a","params":{"x":1}}']);
    wire.receive(result(1, { y: 2 }));
    await expect(answer).resolves.toEqual({ y: 2 });
  });

  test("JR-05, JR-06, BUG-72: no two requests of a session have one id, in one turn or later", async () => {
    const wire = await openWire();
    for (let round = 0; round < 10; round++) {
      const answers = Array.from({ length: 100 }, () => wire.peer.request("a", {}));
      for (const message of wire.sent.slice(round * 100)) wire.receive(result(Reflect.get(Object(message), "id")));
      await Promise.all(answers);
    }
    const ids = new Set(wire.sent.map((message) => Reflect.get(Object(message), "id")));
    expect(ids.size).toBe(1_000);
  });

  test("BUG-62: an answer whose id changed its type matches nothing and is reported", async () => {
    const wire = await openWire();
    const answer = wire.peer.request("a", {});
    wire.receive(result("1"));
    expect(wire.reports).toEqual([{ kind: "stray_response", response: result("1") }]);
    wire.receive(result(1));
    await expect(answer).resolves.toEqual({});
  });

  test("JR-19, BUG-70: a response to nothing, or a second one, is reported and dropped; the connection stays", async () => {
    const wire = await openWire();
    wire.receive(result(777));
    const answer = wire.peer.request("a", {});
    wire.receive(result(1, { first: true }));
    wire.receive(result(1, { first: false }));
    await expect(answer).resolves.toEqual({ first: true });
    expect(wire.reports.map(({ kind }) => kind)).toEqual(["stray_response", "stray_response"]);
    expect(wire.peer.closed.aborted).toBe(false);
    expect(wire.sent).toHaveLength(1);
  });

  test("BUG-71, ERR-12: an error reaches the caller with code, message and data unchanged", async () => {
    const wire = await openWire();
    const answer = wire.peer.request("a", {});
    wire.receive({ jsonrpc: "2.0", id: 1, error: { code: 4242, message: "nope", data: { retryAfter: [1] } } });
    await expect(answer).rejects.toMatchObject({
      name: "RpcError",
      code: 4242,
      message: "nope",
      data: { retryAfter: [1] },
    });
  });

  test("BUG-71: an error passes through a proxy without a change", async () => {
    const back = await openWire();
    const front = await openWire({ request: ({ method, params = {} }) => back.peer.request(method, params) });
    front.receive(request("x"));
    const error = { code: 4242, message: "nope", data: { retryAfter: [1] } };
    back.receive({ jsonrpc: "2.0", id: 1, error });
    await settled();
    expect(front.sent).toEqual([{ jsonrpc: "2.0", id: "x", error }]);
  });

  test.each([[null], [undefined]])("JR-14: an error with id %s answers the only request that waits", async (id) => {
    const wire = await openWire();
    const answer = wire.peer.request("a", {});
    wire.receive({ jsonrpc: "2.0", id, error: { code: -32700, message: "what?" } });
    await expect(answer).rejects.toMatchObject({ code: -32700, message: "what?" });
  });

  test("JR-14: an error without id that could answer none or several requests is reported", async () => {
    const wire = await openWire();
    const error = { jsonrpc: "2.0", error: { code: -32700, message: "what?" } };
    wire.receive(error);
    const answers = [wire.peer.request("a", {}), wire.peer.request("b", {})];
    wire.receive(error);
    expect(wire.reports).toMatchObject([
      { kind: "stray_response", response: { error: { code: -32700 } } },
      { kind: "stray_response" },
    ]);
    wire.receive(result(1));
    wire.receive(result(2));
    await Promise.all(answers);
  });

  test.each([
    ["another version", { jsonrpc: "1.0", id: 1, result: {} }],
    ["a result that is no object", { jsonrpc: "2.0", id: 1, result: "text" }],
    ["a result and an error", { jsonrpc: "2.0", id: 1, result: {}, error: { code: 1, message: "" } }],
    ["neither", { jsonrpc: "2.0", id: 1 }],
    ["an error that is none", { jsonrpc: "2.0", id: 1, error: "text" }],
  ])("JR-01, JR-09, ERR-09: an answer with %s fails its request on our side", async (_, answer) => {
    const wire = await openWire({}, { malformed: "report" });
    const asked = wire.peer.request("a", {});
    wire.receive(answer);
    await expect(asked).rejects.toMatchObject({ name: "LocalError", code: "BAD_REPLY" });
    expect(wire.sent).toHaveLength(1);
  });

  test("STD-05: a line of a log with the id of a request is no answer to it", async () => {
    const wire = await openWire({}, { malformed: "report" });
    const asked = wire.peer.request("a", {});
    wire.receive({ level: 30, id: 1, msg: "started" });
    wire.receive(result(1, { done: true }));
    await expect(asked).resolves.toEqual({ done: true });
    expect(wire.reports.map(({ kind }) => kind)).toEqual(["malformed"]);
    expect(wire.sent).toHaveLength(1);
  });

  test("BUG-73: a question of the peer is answered while ours waits", async () => {
    const wire = await openWire({ request: () => ({}) }, { malformed: "report" });
    const answer = wire.peer.request("tools/call", {});
    wire.receive(request("p", "ping"));
    wire.receive(request(1, "ping"));
    expect(wire.sent.slice(1)).toEqual([result("p"), result(1)]);
    wire.receive(result(1, { mine: true }));
    await expect(answer).resolves.toEqual({ mine: true });
  });

  test("BUG-77: what is notified before an answer is heard before it, in one chunk too", async () => {
    const order: string[] = [];
    const wire = await openWire({ notification: ({ method }) => void order.push(method) });
    const answer = wire.peer.request("a", {}).then(() => order.push("answer"));
    wire.receive({ jsonrpc: "2.0", method: "notifications/progress" });
    wire.receive(result(1));
    wire.receive({ jsonrpc: "2.0", method: "late" });
    await answer;
    expect(order).toEqual(["notifications/progress", "late", "answer"]);
  });

  test("`started` hears the id before the frame leaves", async () => {
    const wire = await openWire();
    const answer = wire.peer.request("a", {}, { started: (id) => expect([id, wire.sent]).toEqual([1, []]) });
    wire.receive(result(1));
    await answer;
  });

  test("what cannot be written rejects, and nothing is kept", async () => {
    const wire = await openWire();
    await expect(wire.peer.request("a", { big: 1n })).rejects.toThrow("BigInt");
    await expect(wire.peer.notify("a", [] as never)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    const failing = {
      started: () => {
        throw new Error("mine");
      },
    };
    await expect(wire.peer.request("a", {}, failing)).rejects.toThrow("mine");
    expect(wire.sent).toEqual([]);
    wire.receive({ jsonrpc: "2.0", error: { code: 1, message: "for the only one that waits" } });
    expect(wire.reports).toMatchObject([{ kind: "stray_response" }]);
  });

  test.each<[string, () => Promise<void>]>([
    [
      "throws",
      () => {
        throw new Error("EPIPE");
      },
    ],
    ["rejects", () => Promise.reject(new Error("EPIPE"))],
  ])("a send that %s rejects what was sent with a LocalError, and never unheard", async (_, send) => {
    const wire = await openWire({}, { send });
    const unsent = { name: "LocalError", code: "CLOSED", cause: new Error("EPIPE") };
    await expect(wire.peer.request("a", {})).rejects.toMatchObject(unsent);
    await expect(wire.peer.notify("a", {})).rejects.toMatchObject(unsent);
    void wire.peer.notify("nobody waits for it", {});
    wire.receive(request(1));
    await settled();
    expect(wire.reports).toMatchObject([{ kind: "send_failed", error: unsent }]);
  });

  test("a notification settles when it is drained", async () => {
    const drained = deferred<void>();
    const wire = await openWire({}, { send: () => drained.promise });
    let settledYet = false;
    const sent = wire.peer.notify("a", {}).then(() => {
      settledYet = true;
    });
    await settled();
    expect(settledYet).toBe(false);
    drained.resolve();
    await sent;
    expect(wire.texts).toEqual(['{"jsonrpc":"2.0","method":"a","params":{}}']);
  });
});
