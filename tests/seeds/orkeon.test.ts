import { PassThrough } from "node:stream";
import { jsonSchema } from "@parlance/json-schema";
import { connect } from "@parlance/jsonrpc";
import type { Feature } from "@parlance/protocol-versions";
import { createServer, type ServerOptions } from "@parlance/server";
import { createToolRegistry, tool } from "@parlance/tool-registry";
import { streams } from "@parlance/transport-stdio";
import { expect, test, vi } from "vitest";
import { envelope, openWire } from "./wire.js";

const seen: unknown[] = [];
const tools = [
  tool({
    name: "write",
    description: "Writes",
    input: jsonSchema<{ path: string; times?: number }>({
      type: "object",
      properties: {
        path: { type: "string", description: "Where" },
        times: { type: "integer", default: 1 },
        mode: { type: "string", enum: ["new", "append"] },
      },
      required: ["path"],
    }),
    run: (input) => {
      seen.push(input);
      return "written";
    },
  }),
  tool({ name: "Break", description: "Fails", run: () => Promise.reject(new Error("the password is 1234")) }),
  tool({ name: "long", description: "Talks", run: () => "x".repeat(10_000) }),
];

const serve = (options: Partial<ServerOptions> = {}) =>
  openWire(
    createServer({ info: { name: "orkeon", version: "1.0.0" }, features: [createToolRegistry(tools)], ...options }),
  );

const hello = (protocolVersion?: unknown) => ({
  protocolVersion,
  capabilities: {},
  clientInfo: { name: "seed", version: "1.0.0" },
});

test("O-50: one server answers both eras on one connection", async () => {
  const { ask, close } = await serve();
  const names = [{ name: "Break" }, { name: "long" }, { name: "write" }];
  expect(await ask("initialize", hello("2025-11-25"))).toMatchObject({ result: { protocolVersion: "2025-11-25" } });
  expect(await ask("tools/list", {})).toMatchObject({ result: { tools: names } });
  expect(await ask("tools/list", { _meta: envelope() })).toMatchObject({ result: { tools: names } });
  await close();
});

test("O-51: a notification is never answered; an id of null is refused, and so is a notification with an id", async () => {
  const { say, close } = await serve();
  expect(await say('{"jsonrpc":"2.0","method":"notifications/whatever"}')).toEqual([]);
  expect(await say('{"jsonrpc":"2.0","method":"tools/list"}')).toEqual([]);
  expect(await say('{"jsonrpc":"2.0","id":null,"method":"tools/list"}')).toMatchObject([{ error: { code: -32600 } }]);
  const withId = { jsonrpc: "2.0", id: "n", method: "notifications/initialized", params: { _meta: envelope() } };
  expect(await say(JSON.stringify(withId))).toMatchObject([{ id: "n", error: { code: -32601 } }]);
  await close();
});

test("O-52: a version that is not spoken is refused before the method is looked at, a handshake version too", async () => {
  const { ask, close } = await serve();
  for (const requested of ["1900-01-01", "2025-11-25"]) {
    expect(await ask("no/such", { _meta: envelope(requested) })).toMatchObject({
      error: {
        code: -32022,
        data: { requested, supported: ["2026-07-28", "2025-11-25", "2025-06-18", "2024-11-05"] },
      },
    });
  }
  await close();
});

test("O-53: ping belongs to the handshake, and what nobody knows is a method that was not found", async () => {
  const { ask, close } = await serve();
  await ask("initialize", hello("2025-06-18"));
  expect(await ask("ping")).toMatchObject({ result: {} });
  expect(await ask("ping", { _meta: envelope() })).toMatchObject({ error: { code: -32601 } });
  expect(await ask("no/such", {})).toMatchObject({ error: { code: -32601 } });
  expect(await ask("no/such", { _meta: envelope() })).toMatchObject({ error: { code: -32601 } });
  await close();
});

test("O-54: discover says what is spoken and offered, for how long, and who answers", async () => {
  const { ask, close } = await serve();
  expect(await ask("server/discover", { _meta: envelope() })).toMatchObject({
    result: {
      resultType: "complete",
      supportedVersions: ["2026-07-28", "2025-11-25", "2025-06-18", "2024-11-05"],
      capabilities: { tools: {} },
      ttlMs: expect.any(Number),
      cacheScope: expect.stringMatching(/^(public|private)$/),
      _meta: { "io.modelcontextprotocol/serverInfo": { name: "orkeon", version: "1.0.0" } },
    },
  });
  await close();
});

test.each([
  ["2025-11-25", "2025-11-25"],
  ["2025-06-18", "2025-06-18"],
  ["2024-11-05", "2024-11-05"],
  ["2025-03-26", "2025-11-25"],
  ["2026-07-28", "2025-11-25"],
  ["1999-01-01", "2025-11-25"],
  [undefined, "2025-11-25"],
  [7, "2025-11-25"],
])("O-55: initialize with %o is answered with %s, and never refused", async (asked, protocolVersion) => {
  const { ask, close } = await serve();
  expect(await ask("initialize", hello(asked))).toMatchObject({
    result: { protocolVersion, serverInfo: { name: "orkeon", version: "1.0.0" } },
  });
  await close();
});

test("O-56: tools come in the order of their names; how long they keep is said where the era knows of it", async () => {
  const { ask, close } = await serve();
  await ask("initialize", hello("2025-11-25"));
  const { result: bare } = await ask("tools/list", {});
  expect(Object.keys(Object(bare))).toEqual(["tools"]);
  expect(await ask("tools/list", { _meta: envelope() })).toMatchObject({
    result: {
      resultType: "complete",
      ttlMs: expect.any(Number),
      cacheScope: "private",
      tools: [{ name: "Break" }, { name: "long" }, { name: "write" }],
    },
  });
  await close();
});

test("O-57: a call without a name, or of an unknown tool, is invalid; arguments keep their types and are checked", async () => {
  const { ask, close } = await serve();
  const call = (params: object) => ask("tools/call", { ...params, _meta: envelope() });
  expect(await call({})).toMatchObject({ error: { code: -32602 } });
  expect(await call({ name: "none" })).toMatchObject({
    error: { code: -32602, message: expect.stringContaining("none") },
  });
  seen.length = 0;
  await call({ name: "write", arguments: { path: "a", times: 5, nested: { list: [null, true] } } });
  expect(seen).toEqual([{ path: "a", times: 5, nested: { list: [null, true] } }]);
  expect(await call({ name: "write", arguments: { path: 5 } })).toMatchObject({ result: { isError: true } });
  expect(seen).toHaveLength(1);
  await close();
});

test("O-58: a guard stands before the tool, which it may keep from running", async () => {
  const guard =
    (next: Feature): Feature =>
    (call) => {
      const path = Object(call.params["arguments"])["path"];
      if (typeof path !== "string" || !path.includes("..")) return next(call);
      const blocked = { type: "text", text: `"${path}" leaves the folder` };
      return { type: "complete", result: { content: [blocked], isError: true } };
    };
  const { ask, close } = await serve({ middleware: [guard] });
  seen.length = 0;
  const write = (path: string) => ask("tools/call", { name: "write", arguments: { path }, _meta: envelope() });
  expect(await write("../etc")).toMatchObject({
    result: { isError: true, content: [{ text: '"../etc" leaves the folder' }] },
  });
  expect(seen).toEqual([]);
  expect(await write("etc")).toMatchObject({ result: { content: [{ text: "written" }] } });
  await close();
});

test("O-59: what a tool says can be cut before it is sent", async () => {
  const cut =
    (next: Feature): Feature =>
    async (call) => {
      const outcome = await next(call);
      if (call.method !== "tools/call" || outcome.type !== "complete") return outcome;
      const [first] = outcome.result["content"] as readonly [{ readonly text: string }];
      const text = `${first.text.slice(0, 4_000)} [${first.text.length - 4_000} more]`;
      return { ...outcome, result: { ...outcome.result, content: [{ type: "text", text }] } };
    };
  const { ask, close } = await serve({ middleware: [cut] });
  expect(await ask("tools/call", { name: "long", _meta: envelope() })).toMatchObject({
    result: { content: [{ text: expect.stringMatching(/^x{4000} \[6000 more]$/) }] },
  });
  await close();
});

test("O-60: a text is one block of a complete result", async () => {
  const { ask, close } = await serve();
  const { result } = await ask("tools/call", { name: "write", arguments: { path: "a" }, _meta: envelope() });
  expect(result).toMatchObject({ resultType: "complete", content: [{ type: "text", text: "written" }] });
  await close();
});

test("O-61: a tool's schema is listed as it was written", async () => {
  const { ask, close } = await serve();
  const { result } = await ask("tools/list", { _meta: envelope() });
  expect(Object(result)["tools"][2].inputSchema).toEqual({
    type: "object",
    properties: {
      path: { type: "string", description: "Where" },
      times: { type: "integer", default: 1 },
      mode: { type: "string", enum: ["new", "append"] },
    },
    required: ["path"],
  });
  await close();
});

test("O-62: what went wrong inside stays inside", async () => {
  const onError = vi.fn();
  const failing: Feature = () => Promise.reject(new Error("the password is 1234"));
  const features = [createToolRegistry(tools), { capabilities: {}, methods: { "x/fail": failing } }];
  const { ask, close } = await serve({ features, onError });
  for (const [method, params] of [
    ["tools/call", { name: "Break" }],
    ["x/fail", {}],
  ] as const) {
    expect(JSON.stringify(await ask(method, { ...params, _meta: envelope() }))).not.toContain("1234");
  }
  expect(onError).toHaveBeenCalledWith(new Error("the password is 1234"), {
    method: "x/fail",
    correlationId: expect.any(String),
  });
  await close();
});

test("O-63: on stdio blank lines are skipped, garbage is answered, an array too, and all goes on until the end", async () => {
  const [there, back] = [new PassThrough(), new PassThrough()];
  const server = createServer({ info: { name: "orkeon", version: "1.0.0" }, features: [] });
  const peer = await connect(streams({ readable: there, writable: back }), server);
  const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  there.end(`\n  \n{ not json\n[${ping}]\n${ping}\n`);
  const closed = new Promise((resolve) => peer.closed.addEventListener("abort", resolve));
  await closed;
  await peer.close();
  const lines = back
    .read()
    .toString()
    .trim()
    .split("\n")
    .map((line: string) => JSON.parse(line));
  expect(lines).toMatchObject([{ error: { code: -32700 } }, { error: { code: -32600 } }, { id: 1, result: {} }]);
  expect(lines[0]).not.toHaveProperty("id");
});
