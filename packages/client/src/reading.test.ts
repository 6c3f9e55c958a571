import { batches } from "@parlance/jsonrpc";
import { handshakeClient, type LogParams, statelessClient } from "@parlance/protocol-versions";
import { describe, expect, test, vi } from "vitest";
import type { Client } from "./client.js";
import { complete } from "./complete.js";
import { type ClientOptions, connectClient } from "./connect.js";
import { onLog, setLogLevel } from "./log.js";
import { isResourceNotFound } from "./not-found.js";
import { getPrompt } from "./prompts.js";
import { readResource } from "./resources.js";
import { restarting } from "./restart.js";
import {
  type Answers,
  createScriptedServer,
  fail,
  handshakeAnswers,
  initialized,
  ok,
  type ScriptedServer,
  statelessAnswers,
} from "./scripted-server.fixture.js";

const info = { name: "test", version: "1" };
const capabilities = { resources: {}, prompts: {}, completions: {}, logging: {}, tools: {} };
const logLevelKey = "io.modelcontextprotocol/logLevel";

async function connected(
  answers: Answers,
  options: Partial<ClientOptions> = {},
): Promise<{ client: Client; server: ScriptedServer }> {
  const server = createScriptedServer({
    ...statelessAnswers,
    "server/discover": ok({ supportedVersions: ["2026-07-28"], capabilities }),
    ...answers,
  });
  return { server, client: await connectClient({ dial: server.dial, info, eras: [statelessClient()], ...options }) };
}

function shakingHands(answers: Answers): Promise<{ client: Client; server: ScriptedServer }> {
  const opening = ok({ ...initialized, capabilities });
  return connected(
    { ...handshakeAnswers, initialize: opening, ...answers },
    { eras: [handshakeClient()], restart: restarting() },
  );
}

describe("readResource", () => {
  test("gives the contents as they came", async () => {
    const result = {
      contents: [
        { uri: "a:b", text: "t", mimeType: "text/plain", "x-odd": 1 },
        { uri: "a:c", blob: "//8=" },
      ],
      _meta: { "example.com/a": 1 },
    };
    const { client, server } = await connected({ "resources/read": ok(result) });
    expect(await readResource(client, "a:b")).toEqual(result);
    expect(server.received.at(-1)?.params).toMatchObject({ uri: "a:b" });
  });

  test("BUG-106: a blob whose slashes are escaped in JSON is base64 all the same", async () => {
    const { client } = await connected({
      "resources/read": ({ id }) => ({
        raw: `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"contents":[{"uri":"a:b","blob":"\\/\\/8="}]}}`,
      }),
    });
    const [content] = (await readResource(client, "a:b")).contents;
    expect(atob(content?.blob ?? "")).toBe("\xff\xff");
  });

  test.each([
    {},
    { contents: {} },
    { contents: [null] },
    { contents: [{ uri: "a:b" }] },
    { contents: [{ text: "t" }] },
  ])("contents that are none (%j) are no reply", async (result) => {
    const { client } = await connected({ "resources/read": ok(result) });
    await expect(readResource(client, "a:b")).rejects.toMatchObject({
      code: "BAD_REPLY",
      details: { method: "resources/read", uri: "a:b" },
    });
  });

  test("RSC-10: the old code says that there is no such resource too", async () => {
    const { client } = await connected({ "resources/read": fail(-32002, "Resource not found", { uri: "a:b" }) });
    const error = await readResource(client, "a:b").catch((reason: unknown) => reason);
    expect(isResourceNotFound(error)).toBe(true);
  });
});

describe("getPrompt", () => {
  test("sends its arguments and gives the messages as they came", async () => {
    const messages = [
      { role: "user", content: { type: "text", text: "Hi" } },
      { role: "assistant", content: { type: "video", url: "https://example.com/v" } },
    ];
    const { client, server } = await connected({ "prompts/get": ok({ description: "d", messages }) });
    expect(await getPrompt(client, "greet", { who: "Ada" })).toEqual({ description: "d", messages });
    expect(server.received.at(-1)?.params).toMatchObject({ name: "greet", arguments: { who: "Ada" } });
  });

  const text = { type: "text", text: "t" };
  test.each([
    {},
    { messages: {} },
    { messages: [{ role: "system", content: text }] },
    { messages: [{ role: "user", content: [text] }] },
    { messages: [{ role: "user" }] },
  ])("messages that are none (%j) are no reply", async (result) => {
    const { client } = await connected({ "prompts/get": ok(result) });
    await expect(getPrompt(client, "greet")).rejects.toMatchObject({
      code: "BAD_REPLY",
      details: { method: "prompts/get", prompt: "greet" },
    });
  });
});

describe("complete", () => {
  const ref = { type: "ref/prompt", name: "greet" } as const;

  test("CMP-03, CMP-06: asks for a prompt or a template, with what was chosen already", async () => {
    const completion = { values: ["Ada", "Alan"], total: 7, hasMore: true };
    const { client, server } = await connected({ "completion/complete": ok({ completion }) });
    expect(await complete(client, ref, "who", "A", { chosen: { lang: "en" } })).toEqual(completion);
    expect(server.received.at(-1)?.params).toMatchObject({
      ref,
      argument: { name: "who", value: "A" },
      context: { arguments: { lang: "en" } },
    });
    await complete(client, { type: "ref/resource", uri: "a:{b}" }, "b", "");
    expect(server.received.at(-1)?.params).toMatchObject({ ref: { type: "ref/resource", uri: "a:{b}" } });
    expect(server.received.at(-1)?.params).not.toHaveProperty("context");
  });

  test.each(["2024-11-05", "2025-03-26"] as const)(
    "CMP-06: to a server of %s nothing is said of it",
    async (version) => {
      const opening = ok({ ...initialized, protocolVersion: version, capabilities });
      const { client, server } = await connected(
        { initialize: opening, "completion/complete": ok({ completion: { values: [] } }) },
        { eras: [handshakeClient({ versions: [version], batches })] },
      );
      await complete(client, ref, "who", "A", { chosen: { lang: "en" } });
      expect(server.received.at(-1)?.params).not.toHaveProperty("context");
    },
  );

  test.each([[{}], [{ completion: null }], [{ completion: {} }], [{ completion: { values: [], total: "many" } }]])(
    "CMP-08: what is missing (%j) is nothing to suggest",
    async (result) => {
      const { client } = await connected({ "completion/complete": ok(result) });
      expect(await complete(client, ref, "who", "A")).toEqual({ values: [], total: undefined, hasMore: false });
    },
  );

  test("suggestions that are no texts are no reply", async () => {
    const { client } = await connected({ "completion/complete": ok({ completion: { values: [1] } }) });
    await expect(complete(client, ref, "who", "A")).rejects.toMatchObject({ code: "BAD_REPLY" });
  });
});

describe("logs", () => {
  const say = (level: string): { method: string; params: object } => ({
    method: "notifications/message",
    params: { level, logger: "test", data: { at: level } },
  });

  test("are heard until they are no longer wanted, and what is no log message is not", async () => {
    const { client, server } = await connected({
      ping: (_, run) => {
        run.send(say("error"));
        run.send(say("loud"));
        return ok({});
      },
    });
    const heard: LogParams[] = [];
    const end = onLog(client, (message) => heard.push(message));
    await client.request("ping");
    end();
    await client.request("ping");
    expect(heard).toEqual([{ level: "error", logger: "test", data: { at: "error" } }]);
    expect(server.received).toHaveLength(3);
  });

  test("a listener that throws is reported and costs the others nothing", async () => {
    const report = vi.fn();
    const hear = vi.fn();
    const error = new Error("mine");
    const { client } = await connected(
      {
        ping: (_, run) => {
          run.send(say("error"));
          return ok({});
        },
      },
      { report },
    );
    onLog(client, () => {
      throw error;
    });
    onLog(client, hear);
    await client.request("ping");
    expect(hear).toHaveBeenCalledOnce();
    expect(report).toHaveBeenCalledWith({ kind: "callback_failed", error });
  });

  test("LOG-15: a stateless server is asked for none until they are wanted, and then with each request", async () => {
    const { client, server } = await connected({ "tools/call": ok({ content: [] }) });
    await client.callTool("x");
    await setLogLevel(client, "warning");
    await client.callTool("x");
    await client.callTool("x", {}, { logLevel: "debug" });
    const levels = server.received.map(({ params }) => params?._meta?.[logLevelKey]);
    expect(levels).toEqual([undefined, undefined, "warning", "debug"]);
  });

  test("LOG-03: a server that shakes hands is told once, and again once it was started again", async () => {
    const { client, server } = await shakingHands({
      "logging/setLevel": ok({}),
      "tools/call": ({ params }) => (params?.["name"] === "exit" ? "exit" : ok({ content: [] })),
    });
    await setLogLevel(client, "warning");
    await client.callTool("x");
    expect(server.methods).toEqual(["initialize", "notifications/initialized", "logging/setLevel", "tools/call"]);
    await expect(client.callTool("exit")).rejects.toMatchObject({ code: "CLOSED" });
    await client.callTool("x");
    expect(server.runs).toHaveLength(2);
    expect(server.received.slice(2)).toMatchObject([
      { method: "logging/setLevel", params: { level: "warning" } },
      { method: "tools/call" },
    ]);
    await client.callTool("x");
    expect(server.methods.filter((method) => method === "logging/setLevel")).toHaveLength(1);
  });

  test("a level that is none, and a server that does not log, are errors", async () => {
    const { client } = await connected({});
    await expect(setLogLevel(client, "loud" as "debug")).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    const { client: quiet } = await connected({
      "server/discover": ok({ supportedVersions: ["2026-07-28"], capabilities: {} }),
    });
    await expect(setLogLevel(quiet, "debug")).rejects.toMatchObject({ code: "UNSUPPORTED" });
  });
});
