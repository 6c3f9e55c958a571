import { answer, batches, type Connection, type JsonObject, RpcError } from "@parlance/jsonrpc";
import { handshakeVersions } from "@parlance/protocol-versions";
import { createServer, handshake, type Server, stateless } from "@parlance/server";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { clientWith } from "./needs.js";
import { createToolRegistry, type ToolRegistry } from "./registry.js";
import { tool } from "./tool.js";

const info = { name: "test", version: "1.0.0" };

const statelessMeta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

interface Client {
  ask(method: string, params: JsonObject): Promise<JsonObject>;
}

async function send(server: Server, connection: Connection, method: string, params: JsonObject): Promise<JsonObject> {
  const text = await answer(server, JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }), { connection });
  return JSON.parse(text ?? "null");
}

function statelessClient(registry: ToolRegistry): Client {
  const server = createServer({ info, features: [registry], eras: [stateless()] });
  const connection: Connection = { closed: new AbortController().signal };
  return { ask: (method, params) => send(server, connection, method, { ...params, _meta: statelessMeta }) };
}

async function handshakeClient(
  registry: ToolRegistry,
  protocolVersion: string,
  notify = vi.fn(async () => {}),
): Promise<Client> {
  const server = createServer({ info, features: [registry], eras: [handshake({ batches })] });
  const connection: Connection = { closed: new AbortController().signal, notify };
  await send(server, connection, "initialize", { protocolVersion, capabilities: {}, clientInfo: info });
  await answer(server, '{"jsonrpc":"2.0","method":"notifications/initialized"}', { connection });
  return { ask: (method, params) => send(server, connection, method, params) };
}

const clients: readonly (readonly [string, (registry: ToolRegistry) => Client | Promise<Client>])[] = [
  ["2026-07-28", statelessClient],
  ...handshakeVersions.all.map(
    (version) => [version, (tools: ToolRegistry) => handshakeClient(tools, version)] as const,
  ),
];

const echo = tool({
  name: "echo",
  description: "",
  input: z.strictObject({ text: z.string() }),
  run: ({ text }) => text,
});

test.each(clients)("TOOL-02, TOOL-04: %s lists the tools in order, and none when there are none", async (_, open) => {
  const registry = createToolRegistry([echo, tool({ name: "Add", description: "", run: () => {} })]);
  const client = await open(registry);
  expect(await client.ask("tools/list", {})).toMatchObject({ result: { tools: [{ name: "Add" }, { name: "echo" }] } });
  registry.remove("Add");
  expect(await client.ask("tools/list", {})).toMatchObject({ result: { tools: [{ name: "echo" }] } });
  registry.remove("echo");
  expect(await client.ask("tools/list", {})).toMatchObject({ result: { tools: [] } });
});

test.each(clients)(
  "TOOL-21, TOOL-22, BUG-102: in %s what names no tool is -32602, whatever is wrong",
  async (_, open) => {
    const client = await open(createToolRegistry([echo]));
    for (const params of [{ name: "nope" }, {}, { name: null }, { name: "echo", arguments: null }]) {
      expect(await client.ask("tools/call", params)).toMatchObject({ error: { code: -32602 } });
    }
    expect(await client.ask("tools/list", { cursor: "zzz" })).toMatchObject({ error: { code: -32602 } });
  },
);

test.each(clients)(
  "TOOL-23, TOOL-24, BUG-103: in %s arguments that do not fit are a result the model can read",
  async (_, open) => {
    const client = await open(createToolRegistry([echo]));
    const params = { name: "echo", arguments: { text: "x", bogus: 1 } };
    expect(await client.ask("tools/call", params)).toMatchObject({
      result: { isError: true, content: [{ type: "text", text: expect.stringContaining("bogus") }] },
    });
  },
);

test.each(clients)(
  "TOOL-20, TOOL-25, TOOL-26: in %s nothing, a failure and a protocol error are told apart",
  async (_, open) => {
    const throwing = (error: Error) => (): never => {
      throw error;
    };
    const registry = createToolRegistry([
      tool({ name: "nothing", description: "", run: () => {} }),
      tool({ name: "fails", description: "", run: throwing(new Error("secret")) }),
      tool({ name: "refuses", description: "", run: throwing(new RpcError(7, "on purpose", { data: { why: 1 } })) }),
    ]);
    const client = await open(registry);
    expect(await client.ask("tools/call", { name: "nothing" })).toMatchObject({ result: { content: [] } });
    const failed = await client.ask("tools/call", { name: "fails" });
    expect(failed).toMatchObject({ result: { isError: true } });
    expect(JSON.stringify(failed)).not.toContain("secret");
    const error = { code: 7, message: "on purpose", data: { why: 1 } };
    expect(await client.ask("tools/call", { name: "refuses" })).toMatchObject({ error });
  },
);

test("TOOL-18, TOOL-19: a falsy value reaches the wire as structured content and as text", async () => {
  const client = statelessClient(
    createToolRegistry([tool({ name: "no", description: "", output: z.boolean(), run: () => false })]),
  );
  expect(await client.ask("tools/call", { name: "no" })).toMatchObject({
    result: { content: [{ type: "text", text: "false" }], structuredContent: false },
  });
});

test("VER-S-21: what a tool needs of the client and does not find is -32021 with the capabilities that are missing", async () => {
  const run = vi.fn();
  const needs = { sampling: { tools: {} } };
  const client = statelessClient(
    createToolRegistry([tool({ name: "asks", description: "", needs: clientWith(needs), run })]),
  );
  expect(await client.ask("tools/call", { name: "asks" })).toMatchObject({
    error: { code: -32021, data: { requiredCapabilities: needs } },
  });
  expect(run).not.toHaveBeenCalled();
});

test("a change of tools reaches a session once a turn", async () => {
  const registry = createToolRegistry([echo]);
  const notify = vi.fn(async () => {});
  await handshakeClient(registry, "2025-11-25", notify);
  const told = new Promise<void>((resolve) => registry.changed(() => resolve()));
  registry.disable("echo");
  registry.add(tool({ name: "later", description: "", run: () => {} }));
  await told;
  expect(notify.mock.calls).toEqual([["notifications/tools/list_changed", {}]]);
});

test("what a tool throws is heard by the server, with the reference that the caller holds", async () => {
  const [onError, report, own] = [vi.fn(), vi.fn(), vi.fn()];
  const error = new Error("secret");
  const broken = tool({ name: "broken", description: "", run: () => Promise.reject(error) });
  const call = { name: "broken", _meta: statelessMeta };
  const connection: Connection = { closed: new AbortController().signal };
  const server = createServer({ info, features: [createToolRegistry([broken])], onError, report });
  const { result } = await send(server, connection, "tools/call", call);
  const [, context] = onError.mock.lastCall ?? [];
  expect(onError.mock.calls).toEqual([
    [error, { method: "tools/call", tool: "broken", correlationId: expect.any(String) }],
  ]);
  expect(report.mock.calls).toEqual([[{ kind: "internal_error", error, ...context }]]);
  expect(JSON.stringify(result)).toContain(context.correlationId);

  const features = [createToolRegistry([broken], { onError: own })];
  await send(createServer({ info, features, onError }), connection, "tools/call", call);
  expect([own.mock.calls.length, onError.mock.calls.length]).toEqual([1, 1]);
});
