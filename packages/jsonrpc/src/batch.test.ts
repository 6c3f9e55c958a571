import { describe, expect, test } from "vitest";
import { batches } from "./batch.js";
import { RpcError } from "./error.js";
import type { Handler } from "./handler.js";
import { deferred, openWire, request, settled, type Wire } from "./wire.fixture.js";

const ping = request(1, "ping");

describe("where the session's revision has no batches", () => {
  test.each([
    ["an array", [ping, request(2)]],
    ["an array of one", [ping]],
    ["an empty array", []],
  ])("JR-23, JR-25, JR-26: %s is one invalid request without id, and nothing in it runs", async (_, batch) => {
    const wire = await openWire({ request: () => expect.unreachable() });
    wire.receive(batch);
    expect(wire.sent).toMatchObject([{ error: { code: -32600 } }]);
    expect(wire.sent[0]).not.toHaveProperty("id");
  });

  test("JR-26: what the handshake agrees on decides, on either side of it", async () => {
    const server = await openWire({
      request: (_, { connection }) => {
        connection.agreed?.({ version: "any", batches });
        return {};
      },
    });
    server.receive([ping]);
    server.receive(ping);
    server.receive([ping]);
    expect(server.sent).toMatchObject([{ error: { code: -32600 } }, { id: 1 }, [{ id: 1 }]]);

    const client = await openWire({}, { malformed: "report" });
    client.peer.agreed?.({ version: "any", batches });
    client.receive([ping]);
    expect(client.sent).toMatchObject([[{ id: 1 }]]);
    client.peer.agreed?.({ version: "any" });
    client.receive([ping]);
    expect(client.reports).toMatchObject([{ kind: "malformed" }]);
  });
});

describe("where it has", () => {
  async function openBatching(handler: Partial<Handler> = {}): Promise<Wire> {
    const wire = await openWire(handler);
    wire.peer.agreed?.({ version: "any", batches });
    return wire;
  }

  const invalid = { jsonrpc: "2.0", error: { code: -32600 } };

  // the examples of JSON-RPC 2.0, section 7, with params by name where they have them by position
  const examples: readonly [string, string, unknown][] = [
    [
      "text that is no JSON",
      '[{"jsonrpc":"2.0","method":"sum","params":{},"id":"1"},{"jsonrpc":"2.0","method"]',
      { error: { code: -32700 } },
    ],
    ["an empty array", "[]", invalid],
    ["one invalid element", "[1]", [invalid]],
    ["invalid elements", "[1,2,3]", [invalid, invalid, invalid]],
    [
      "a bit of everything",
      JSON.stringify([
        { jsonrpc: "2.0", method: "sum", params: { of: [1, 2, 4] }, id: "1" },
        { jsonrpc: "2.0", method: "notify_hello", params: { n: 7 } },
        { jsonrpc: "2.0", method: "subtract", params: { from: 42, take: 23 }, id: "2" },
        { foo: "boo" },
        { jsonrpc: "2.0", method: "foo.get", params: { name: "myself" }, id: "5" },
        { jsonrpc: "2.0", method: "get_data", id: "9" },
      ]),
      [
        { jsonrpc: "2.0", result: { value: 7 }, id: "1" },
        { jsonrpc: "2.0", result: { value: 19 }, id: "2" },
        invalid,
        { jsonrpc: "2.0", error: { code: -32601, message: "Method not found" }, id: "5" },
        { jsonrpc: "2.0", result: { value: ["hello", 5] }, id: "9" },
      ],
    ],
    [
      "notifications alone",
      JSON.stringify([
        { jsonrpc: "2.0", method: "a" },
        { jsonrpc: "2.0", method: "b", params: {} },
      ]),
      undefined,
    ],
  ];

  test.each(examples)("JR-24: %s is answered as JSON-RPC 2.0 shows", async (_, frame, answer) => {
    const wire = await openBatching({
      request: ({ method }) => {
        const values = new Map<string, unknown>([
          ["sum", 7],
          ["subtract", 19],
          ["get_data", ["hello", 5]],
        ]);
        if (!values.has(method)) throw new RpcError(-32601, "Method not found");
        return { value: values.get(method) };
      },
      notification: () => {},
    });
    wire.receive(frame);
    expect(wire.sent).toMatchObject(answer === undefined ? [] : [answer]);
  });

  test("JR-21: requests and notifications are answered in one array, when the last is ready", async () => {
    const slow = deferred<object>();
    const heard: string[] = [];
    const wire = await openBatching({
      request: ({ id }) => (id === 1 ? slow.promise.then(() => ({ slow: true })) : {}),
      notification: ({ method }) => void heard.push(method),
    });
    wire.receive([request(1), { jsonrpc: "2.0", method: "a" }, request("1")]);
    expect(wire.sent).toEqual([]);
    expect(heard).toEqual(["a"]);
    slow.resolve({});
    await settled();
    expect(wire.sent).toMatchObject([[{ id: "1" }, { id: 1, result: { slow: true } }]]);
  });

  test("JR-21: an array of responses answers each request", async () => {
    const wire = await openBatching();
    const answers = Promise.all([wire.peer.request("a", {}), wire.peer.request("b", {})]);
    wire.receive([
      { jsonrpc: "2.0", id: 2, result: { b: 1 } },
      { jsonrpc: "2.0", id: 1, result: { a: 1 } },
    ]);
    await expect(answers).resolves.toEqual([{ a: 1 }, { b: 1 }]);
    expect(wire.sent).toHaveLength(2);
  });

  test("JR-22: no array is written but to answer one", async () => {
    const wire = await openBatching();
    const answers = Array.from({ length: 10 }, () => wire.peer.request("a", {}));
    for (const { id } of wire.sent as { id: number }[]) wire.receive({ jsonrpc: "2.0", id, result: {} });
    await Promise.all(answers);
    await wire.peer.notify("b", {});
    wire.receive(ping);
    expect(wire.texts.filter((text) => text.startsWith("["))).toEqual([]);
  });

  test("a request of it that is cancelled is left out; if none is left, nothing is sent", async () => {
    const wire = await openBatching({ request: ({ id }) => (id === 3 ? {} : new Promise(() => {})) });
    const cancel = (requestId: number): object => ({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId },
    });
    wire.receive([request(1), request(3)]);
    wire.receive(cancel(1));
    wire.receive([request(2)]);
    wire.receive(cancel(2));
    expect(wire.sent).toMatchObject([[{ id: 3 }]]);
  });

  test("arrays in it are invalid, and more than a thousand messages are refused as a whole", async () => {
    const wire = await openBatching();
    wire.receive([[ping]]);
    wire.receive(Array(1_001).fill(1));
    expect(wire.sent).toMatchObject([[invalid], invalid]);
  });
});
