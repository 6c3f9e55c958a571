import { handshakeClient, statelessClient } from "@parlance/protocol-versions";
import { expect, test, vi } from "vitest";
import type { Client } from "./client.js";
import { type ClientOptions, connectClient } from "./connect.js";
import { extensions } from "./extension.js";
import {
  type Answers,
  createScriptedServer,
  handshakeAnswers,
  ok,
  type ScriptedServer,
  statelessAnswers,
} from "./scripted-server.fixture.js";

const info = { name: "test", version: "1" };
const capabilities = { sampling: {} };
const key = "io.modelcontextprotocol/clientCapabilities";

async function connected(
  answers: Answers,
  options: Partial<ClientOptions>,
): Promise<{ client: Client; server: ScriptedServer }> {
  const server = createScriptedServer(answers);
  const client = await connectClient({ dial: server.dial, info, capabilities, ...options });
  return { client, server };
}

const stateless = (answers: Answers, options: Partial<ClientOptions> = {}): ReturnType<typeof connected> =>
  connected({ ...statelessAnswers, ...answers }, { eras: [statelessClient()], ...options });
const handshake = (answers: Answers, options: Partial<ClientOptions> = {}): ReturnType<typeof connected> =>
  connected({ ...handshakeAnswers, ...answers }, { eras: [handshakeClient()], ...options });

const later = { id: "com.example/later", resultTypes: { ticket: ["tools/call"] } };
const answers = { "*": ok({ resultType: "ticket", number: 1, content: [] }) };

test("RES-05, EXT-09: one that was handed in adds its types; another does not", async () => {
  const { client } = await stateless(answers, { extensions: extensions(later) });
  expect(await client.request("tools/call", { name: "x" })).toMatchObject({ resultType: "ticket", number: 1 });
  expect(await client.callTool("x")).toMatchObject({ number: 1 });
  const { client: silent } = await stateless(answers);
  await expect(silent.request("tools/call", { name: "x" })).rejects.toMatchObject({ code: "BAD_REPLY" });
});

test("a type counts for its methods alone", async () => {
  const { client } = await stateless(answers, { extensions: extensions(later) });
  await expect(client.request("custom/thing")).rejects.toMatchObject({ code: "BAD_REPLY" });
});

test("EXT-09: it may make of its results those that a tool gives", async () => {
  const finish = vi.fn(async () => ({ structuredContent: 7 }));
  const { client } = await stateless(answers, {
    extensions: extensions({ id: "com.example/other" }, { ...later, finish }),
  });
  const options = { timeoutMs: 1_000 };
  expect(await client.callTool("x", {}, options)).toEqual({ structuredContent: 7, content: [] });
  expect(finish).toHaveBeenCalledWith(client, expect.objectContaining({ number: 1 }), options);
});

test("EXT-01, EXT-03, EXT-06: it is declared under its id in both eras, beside what else was; without one nothing is", async () => {
  const declared = { sampling: {}, extensions: { "com.example/kept": { a: 1 }, "com.example/later": { b: 2 } } };
  const added = extensions({ ...later, settings: { b: 2 } });
  const options = {
    extensions: added,
    capabilities: { sampling: {}, extensions: { "com.example/kept": { a: 1 } } },
  };
  const { client, server } = await stateless({ "*": ok({}) }, options);
  await client.request("custom/thing");
  expect(server.received.at(-1)?.params?._meta?.[key]).toEqual(declared);
  const { server: old } = await handshake({}, options);
  expect(old.received[0]?.params?.["capabilities"]).toEqual(declared);
  const { server: bare } = await handshake({});
  expect(bare.received[0]?.params?.["capabilities"]).toEqual(capabilities);
});

test.each(["later", "-a/later", "com.example//x"])("EXT-02: the id %j is refused", (id) => {
  expect(() => extensions({ id })).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
});
