import {
  type Client,
  type ClientOptions,
  connectClient,
  listTools,
  memoryVerdicts,
  remembering,
  restarting,
} from "@parlance/client";
import { expect, test } from "vitest";
import {
  type Answers,
  createScriptedServer,
  discovered,
  fail,
  handshakeAnswers,
  initialized,
  ok,
  type ScriptedServer,
  statelessAnswers,
} from "../../packages/client/src/scripted-server.fixture.js";

async function open(
  answers: Answers,
  options: Partial<ClientOptions> = {},
): Promise<{ client: Client; server: ScriptedServer }> {
  const server = createScriptedServer(answers, "seed");
  const client = await connectClient({ dial: server.dial, info: { name: "seed", version: "1.0.0" }, ...options });
  return { client, server };
}

const refusal = (supported: readonly string[]) =>
  fail(-32022, "Unsupported protocol version", { supported, requested: "2026-07-28" });

test("O-10: era, version, identity and capabilities are read together", async () => {
  const { client } = await open(statelessAnswers);
  expect(client.server).toEqual({
    era: "stateless",
    version: "2026-07-28",
    info: { name: "scripted", version: "1" },
    capabilities: { tools: {} },
    instructions: "Be brief",
  });
});

test("O-11: a probe without versions in its answer, and any foreign error, lead to initialize", async () => {
  for (const probe of [ok({ capabilities: {} }), fail(-32601), fail(-32000)]) {
    const { client } = await open({ ...handshakeAnswers, "server/discover": probe });
    expect(client.server).toMatchObject({ era: "handshake", version: "2025-11-25" });
  }
});

test("O-12: nothing in common is an error that names both lists", async () => {
  await expect(open({ ...handshakeAnswers, "server/discover": refusal(["2030-01-01"]) })).rejects.toMatchObject({
    code: "VERSION_MISMATCH",
    message: expect.stringMatching(/2030-01-01.*2026-07-28, 2025-11-25, 2025-06-18, 2024-11-05/),
  });
});

test("O-13: initialize asks for 2025-11-25 and takes no version that the client does not know, not an empty one either", async () => {
  const { server } = await open(handshakeAnswers);
  expect(server.received[1]?.params).toMatchObject({ protocolVersion: "2025-11-25" });
  expect(server.methods.at(-1)).toBe("notifications/initialized");
  for (const protocolVersion of ["1999-01-01", "", undefined]) {
    await expect(open({ initialize: ok({ ...initialized, protocolVersion }) })).rejects.toMatchObject({
      code: "VERSION_MISMATCH",
    });
  }
});

test("O-14: every request of a stateless connection carries its _meta", async () => {
  const { client, server } = await open({ ...statelessAnswers, "tools/list": ok({ tools: [] }) });
  await listTools(client);
  for (const { params } of server.received) {
    expect(params?._meta).toMatchObject({ "io.modelcontextprotocol/protocolVersion": "2026-07-28" });
  }
});

test("O-17: a protocol error of a tool is an error, and not a result", async () => {
  const { client } = await open({ ...statelessAnswers, "tools/call": fail(-32602, "Tool not found: x") });
  await expect(client.callTool("x")).rejects.toMatchObject({ code: -32602, message: "Tool not found: x" });
});

test("O-18: a question is an error that says so, never partial data", async () => {
  const question = ok({ resultType: "input_required", requestState: "s", content: [{ type: "text", text: "half" }] });
  const { client } = await open({ ...statelessAnswers, "tools/call": question });
  await expect(client.callTool("x")).rejects.toMatchObject({ code: "UNSUPPORTED" });
});

test("O-19: a response without a result is an error", async () => {
  const { client } = await open({ ...statelessAnswers, "tools/call": { raw: '{"jsonrpc":"2.0","id":2}' } });
  await expect(client.callTool("x")).rejects.toMatchObject({ code: "BAD_REPLY" });
});

test("O-20: identity is the caller's, and every request has a time", async () => {
  const { client, server } = await open({ ...statelessAnswers, "tools/call": "silence" });
  await expect(client.callTool("x", {}, { timeoutMs: 1 })).rejects.toMatchObject({ code: "TIMEOUT" });
  expect(server.methods.at(-1)).toBe("notifications/cancelled");
});

test("L-2: a server that is silent on the probe is initialized on the same process", async () => {
  const { client, server } = await open({ ...handshakeAnswers, "server/discover": "silence" }, { probeTimeoutMs: 1 });
  expect(client.server.era).toBe("handshake");
  expect(server.runs).toHaveLength(1);
});

test("L-3: a server with handshake versions only is initialized, never asked with _meta again", async () => {
  for (const probe of [refusal(["2025-11-25"]), ok({ ...discovered, supportedVersions: ["2025-11-25"] })]) {
    const { client, server } = await open({
      ...handshakeAnswers,
      "server/discover": probe,
      "tools/list": ok({ tools: [] }),
    });
    await listTools(client);
    const late = server.received.slice(1).map(({ params }) => Object.keys(params?._meta ?? {}));
    expect(late.flat().filter((key) => key.includes("/"))).toEqual([]);
  }
});

test("L-9: a request of the server with the id of a waiting call is answered, and the call goes on", async () => {
  const { client, server } = await open({
    ...handshakeAnswers,
    "tools/call": ({ id }, run) => {
      run.send({ id, method: "ping" });
      return ok({ content: [] });
    },
  });
  expect(await client.callTool("x")).toEqual({ content: [] });
  const call = server.received.find(({ method }) => method === "tools/call");
  expect(server.received.at(-1)).toEqual({ jsonrpc: "2.0", id: call?.id, result: {} });
});

test("L-11, L-12: all pages are read, and an odd schema costs nobody the server", async () => {
  const odd = { type: "object", properties: { a: { type: ["string", "null"], enum: [1, null] } } };
  const { client } = await open({
    ...statelessAnswers,
    "tools/list": ({ params }) =>
      params?.["cursor"] === "2"
        ? ok({ tools: [{ name: "b", inputSchema: odd }] })
        : ok({ tools: [{ name: "a", inputSchema: odd }], nextCursor: "2" }),
  });
  expect(await listTools(client)).toEqual([
    { name: "a", inputSchema: odd },
    { name: "b", inputSchema: odd },
  ]);
});

test("L-19: a server that died is started again by the next call", async () => {
  const { client, server } = await open(
    { ...statelessAnswers, "tools/call": ok({ content: [] }) },
    { restart: restarting() },
  );
  server.last.exit();
  expect(await client.callTool("x")).toEqual({ content: [] });
});

test("L-21: the era is remembered, and mended when it is wrong", async () => {
  const verdicts = memoryVerdicts();
  const { client } = await open(statelessAnswers, { verdicts: remembering(verdicts) });
  await client.close();
  const { client: second, server } = await open(handshakeAnswers, { verdicts: remembering(verdicts) });
  expect(server.methods).toEqual([]);
  await second.ping();
  expect(second.server.era).toBe("handshake");
});
