import { LocalError, RpcError, type RpcNotification } from "@parlance/jsonrpc";
import { handshakeClient, meta, statelessClient } from "@parlance/protocol-versions";
import { describe, expect, test, vi } from "vitest";
import type { Client } from "./client.js";
import { type ClientOptions, connectClient } from "./connect.js";
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
} from "./scripted-server.fixture.js";
import type { RequestOptions } from "./waiting.js";

const info = { name: "test", version: "1" };
const capabilities = { sampling: {} };
const trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const keys = {
  version: "io.modelcontextprotocol/protocolVersion",
  info: "io.modelcontextprotocol/clientInfo",
  capabilities: "io.modelcontextprotocol/clientCapabilities",
};

async function connected(
  answers: Answers,
  options: Partial<ClientOptions> = {},
): Promise<{ client: Client; server: ScriptedServer }> {
  const server = createScriptedServer(answers);
  const client = await connectClient({ dial: server.dial, info, capabilities, ...options });
  return { client, server };
}

const stateless = (answers: Answers, options?: Partial<ClientOptions>): ReturnType<typeof connected> =>
  connected({ ...statelessAnswers, ...answers }, options);
const handshake = (answers: Answers, options?: Partial<ClientOptions>): ReturnType<typeof connected> =>
  connected({ ...handshakeAnswers, ...answers }, { eras: [handshakeClient()], ...options });

describe("what a request carries", () => {
  test("VER-C-01, VER-C-02, META-09: every stateless request has version, capabilities and identity, without params too", async () => {
    const { client, server } = await stateless({ "*": ok({}) });
    await client.request("custom/thing");
    await client.request("custom/other", { a: 1 });
    await client.callTool("x");
    await client.ping();
    const [, ...requests] = server.received;
    expect(requests).toHaveLength(4);
    for (const { params } of requests) {
      expect(params?._meta).toMatchObject({
        [keys.version]: "2026-07-28",
        [keys.info]: info,
        [keys.capabilities]: capabilities,
      });
    }
  });

  test("META-09: a log level is asked for under its key", async () => {
    const { client, server } = await stateless({ "tools/call": ok({ content: [] }) });
    await client.callTool("x", {}, { logLevel: "warning" });
    expect(server.received.at(-1)?.params?._meta?.["io.modelcontextprotocol/logLevel"]).toBe("warning");
  });

  test("META-15, META-06: a caller's keys are merged, reserved ones too, and cannot replace the protocol's", async () => {
    const { client, server } = await stateless({ "tools/call": ok({ content: [] }) });
    const mine = meta({
      traceparent: trace,
      "com.example/x": 1,
      "io.modelcontextprotocol/foo": 2,
      [keys.version]: "x",
      [keys.capabilities]: { roots: {} },
      progressToken: "mine",
    });
    await client.callTool("x", {}, { meta: mine });
    expect(server.received.at(-1)?.params?._meta).toEqual({
      traceparent: trace,
      "com.example/x": 1,
      "io.modelcontextprotocol/foo": 2,
      [keys.version]: "2026-07-28",
      [keys.capabilities]: capabilities,
      [keys.info]: info,
      progressToken: expect.any(Number),
    });
  });

  test("META-14: on a session of the handshake trace context travels as it is, and nothing of the stateless era does", async () => {
    const { client, server } = await handshake({ "tools/call": ok({ content: [] }) });
    await client.callTool("x", {}, { meta: meta({ traceparent: trace }), timeoutMs: Number.POSITIVE_INFINITY });
    await client.callTool("x", {}, { timeoutMs: Number.POSITIVE_INFINITY });
    expect(server.received.slice(2).map((message) => message.params)).toEqual([
      { name: "x", arguments: {}, _meta: meta({ traceparent: trace }) },
      { name: "x", arguments: {} },
    ]);
  });

  test("BUG-89: a progress callback leaves the caller's _meta alone", async () => {
    for (const connect of [stateless, handshake]) {
      const { client, server } = await connect({ "tools/call": ok({ content: [] }) });
      await client.callTool("x", {}, { meta: meta({ traceparent: trace }), onProgress: () => {} });
      expect(server.received.at(-1)?.params?._meta).toMatchObject({
        traceparent: trace,
        progressToken: expect.any(Number),
      });
    }
  });

  test("a progress token of the caller's own is not sent: it could be that of another call", async () => {
    for (const connect of [stateless, handshake]) {
      const { client, server } = await connect({ "tools/call": ok({ content: [] }) });
      await client.callTool("x", {}, { meta: meta({ progressToken: 1 }), timeoutMs: Number.POSITIVE_INFINITY });
      expect(server.received.at(-1)?.params?._meta).not.toHaveProperty("progressToken");
    }
  });

  test("META-08, META-13: a malformed key or trace of the caller's is refused, and what was not looked at is not taken", () => {
    for (const wrong of [{ "/x": 1 }, { "a-.b/x": 1 }, { traceparent: "00-0-0-01" }]) {
      expect(() => meta(wrong)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
      // @ts-expect-error: it is no `Meta`
      const options: RequestOptions = { meta: wrong };
      expect(options).toBeDefined();
    }
  });

  test("TOOL-11: a call without arguments sends an empty object", async () => {
    const { client, server } = await stateless({ "tools/call": ok({ content: [] }) });
    await client.callTool("x");
    expect(server.received.at(-1)?.params).toMatchObject({ name: "x", arguments: {} });
  });
});

describe("the handshake", () => {
  test("LC-01, LC-02, LC-03, LC-08: initialize comes first, whole, with the newest version; initialized follows", async () => {
    const { server } = await handshake({});
    expect(server.received).toEqual([
      {
        jsonrpc: "2.0",
        id: expect.anything(),
        method: "initialize",
        params: { protocolVersion: "2025-11-25", capabilities, clientInfo: info },
      },
      { jsonrpc: "2.0", method: "notifications/initialized", params: {} },
    ]);
  });

  test("META-18: what a client says of itself fits the version it offers", async () => {
    const server = createScriptedServer({ initialize: ok({ ...initialized, protocolVersion: "2024-11-05" }) });
    await connectClient({
      dial: server.dial,
      info: { ...info, title: "Test", websiteUrl: "https://example.com" },
      eras: [handshakeClient({ versions: ["2024-11-05"] })],
    });
    expect(server.received[0]?.params?.["clientInfo"]).toEqual(info);
  });

  test.each(["2030-01-01", "2026-07-28", 20251125, undefined])(
    "LC-07, BUG-167: a client leaves when it does not know the answered version (%s)",
    async (protocolVersion) => {
      const server = createScriptedServer({ initialize: ok({ ...initialized, protocolVersion }) });
      const error = await connectClient({ dial: server.dial, info, eras: [handshakeClient()] }).catch((e) => e);
      expect(error).toMatchObject({ code: "VERSION_MISMATCH" });
      expect(error.message).toContain("2025-11-25, 2025-06-18, 2024-11-05");
      if (typeof protocolVersion === "string") expect(error.message).toContain(protocolVersion);
      expect(server.methods).toEqual(["initialize"]);
      expect(server.last.closed).toBe(true);
    },
  );

  test("an older version that the server answers with is taken", async () => {
    const { client } = await handshake({ initialize: ok({ ...initialized, protocolVersion: "2024-11-05" }) });
    expect(client.server.version).toBe("2024-11-05");
  });

  test("LC-13: an error that lists supported versions is followed once, and told when it is of no use", async () => {
    const refusal = (supported: readonly string[]) =>
      fail(-32602, "Unsupported protocol version", { supported, requested: "2025-11-25" });
    const followed = createScriptedServer({
      initialize: ({ params }) =>
        params?.["protocolVersion"] === "2024-11-05"
          ? ok({ ...initialized, protocolVersion: "2024-11-05" })
          : refusal(["2024-11-05"]),
    });
    const client = await connectClient({ dial: followed.dial, info, eras: [handshakeClient()] });
    expect(client.server.version).toBe("2024-11-05");

    const useless = createScriptedServer({ initialize: refusal(["1.0"]) });
    await expect(connectClient({ dial: useless.dial, info, eras: [handshakeClient()] })).rejects.toMatchObject({
      code: "VERSION_MISMATCH",
      details: { server: ["1.0"] },
    });
  });

  test("ERR-12: a server that speaks it and refuses is reported with its own error", async () => {
    const server = createScriptedServer({ initialize: fail(-32000, "Bad key", { hint: "rotate" }) });
    const error = await connectClient({ dial: server.dial, info }).catch((e) => e);
    expect(error).toBeInstanceOf(RpcError);
    expect(error).toMatchObject({ code: -32000, message: "Bad key", data: { hint: "rotate" } });
  });

  test("LC-17: a server's ping is answered at any time, before it is initialized too", async () => {
    const { client, server } = await handshake({
      initialize: (_, run) => {
        run.send({ id: "early", method: "ping" });
        return ok(initialized);
      },
      "tools/call": async (_, run) => {
        run.send({ id: "busy", method: "ping" });
        await expect.poll(() => run.received.some((message) => message.id === "busy")).toBe(true);
        return ok({ content: [] });
      },
    });
    await client.callTool("slow");
    expect(server.received.filter((message) => message.result !== undefined)).toEqual([
      { jsonrpc: "2.0", id: "early", result: {} },
      { jsonrpc: "2.0", id: "busy", result: {} },
    ]);
  });

  test("LC-09: nothing is asked before the answer to initialize, nor while a ping comes in between", async () => {
    let answer = (): void => {};
    const server = createScriptedServer({
      initialize: (_, run) => {
        run.send({ id: "p", method: "ping" });
        return new Promise((resolve) => {
          answer = () => resolve(ok(initialized));
        });
      },
    });
    const connecting = connectClient({ dial: server.dial, info, eras: [handshakeClient()] });
    await expect.poll(() => server.runs[0]?.received).toHaveLength(2);
    expect(server.received).toMatchObject([{ method: "initialize" }, { id: "p", result: {} }]);
    answer();
    await connecting;
    expect(server.methods).toEqual(["initialize", undefined, "notifications/initialized"]);
  });

  test("a question that the client has no answer to is refused, not left open", async () => {
    const { server } = await handshake({});
    server.last.send({ id: 7, method: "roots/list" });
    await expect.poll(() => server.received.at(-1)).toMatchObject({ id: 7, error: { code: -32601 } });
  });

  test("LC-27: mismatch, absence and timeout are errors of ours with a code each", async () => {
    const codeOf = async (failing: Promise<unknown>): Promise<unknown> => {
      const error = await failing.catch((reason: unknown) => reason);
      return error instanceof LocalError && error.code;
    };
    const { client } = await handshake({ "tools/call": "silence" });
    const stranger = handshake({ initialize: ok({ ...initialized, protocolVersion: "2030-01-01" }) });
    expect(await codeOf(stranger)).toBe("VERSION_MISMATCH");
    expect(await codeOf(client.request("prompts/list"))).toBe("UNSUPPORTED");
    expect(await codeOf(client.callTool("x", {}, { timeoutMs: 1 }))).toBe("TIMEOUT");
  });
});

describe("capabilities", () => {
  test.each(["toolsx", "prompts", "x/tools"])("%s is no method of theirs, and is sent", async (method) => {
    const { client } = await handshake({
      initialize: ok({ ...initialized, capabilities: {} }),
      [method]: ok({ a: 1 }),
    });
    expect(await client.request(method)).toEqual({ a: 1 });
  });

  test.each([
    ["tools/list", { resources: {} }],
    ["prompts/get", { tools: {} }],
    ["resources/read", { tools: {} }],
    ["resources/subscribe", { prompts: {} }],
    ["completion/complete", { tools: {} }],
    ["logging/setLevel", { tools: {} }],
  ])("LC-14: %s is not sent to a server that did not announce it", async (method, announced) => {
    const { client, server } = await handshake({ initialize: ok({ ...initialized, capabilities: announced }) });
    await expect(client.request(method)).rejects.toMatchObject({ code: "UNSUPPORTED" });
    expect(server.methods).toEqual(["initialize", "notifications/initialized"]);
  });

  test("LC-14: completions need no capability where there was none to announce", async () => {
    const old = { ...initialized, protocolVersion: "2024-11-05", capabilities: {} };
    const { client } = await handshake({ initialize: ok(old), "completion/complete": ok({ completion: {} }) });
    expect(await client.request("completion/complete")).toEqual({ completion: {} });
  });

  test("unknown capabilities and methods of extensions are let through", async () => {
    const announced = { progress: {}, cancellation: {}, tools: { listChanged: true, extra: 1 } };
    const { client } = await handshake({
      initialize: ok({ ...initialized, capabilities: announced }),
      "com.example/thing": ok({ a: 1 }),
    });
    expect(client.server.capabilities).toMatchObject(announced);
    expect(await client.request("com.example/thing")).toEqual({ a: 1 });
  });
});

describe("results", () => {
  test("RES-03, VER-C-26, BUG-176: a result without a type is complete", async () => {
    const { client } = await stateless({ "tools/call": ok({ content: [] }) });
    expect(await client.callTool("x")).toEqual({ content: [] });
  });

  test.each(["banana", "task", 1, null, ""])(
    "RES-04, RES-06, BUG-176: a result of type %j is no result",
    async (resultType) => {
      const { client } = await stateless({ "*": ok({ resultType, content: [] }) });
      await expect(client.callTool("x")).rejects.toMatchObject({ code: "BAD_REPLY" });
      await expect(client.request("custom/thing")).rejects.toMatchObject({ code: "BAD_REPLY" });
    },
  );

  test("on a session of the handshake a type is a member like any other", async () => {
    const { client } = await handshake({ "tools/call": ok({ resultType: "table", content: [] }) });
    expect(await client.callTool("x")).toMatchObject({ resultType: "table" });
  });

  test("a question without anybody to answer it is an error that says so, never a part of a result", async () => {
    const inputRequests = { name: { method: "elicitation/create", params: { message: "Name?" } } };
    const { client } = await stateless({
      "tools/call": ok({ resultType: "input_required", content: [], inputRequests }),
    });
    await expect(client.callTool("x")).rejects.toMatchObject({
      code: "UNSUPPORTED",
      details: { result: { inputRequests } },
    });
  });

  test("META-07: unknown members and _meta keys of a result are kept", async () => {
    const result = { content: [], extra: { deep: [1] }, _meta: { "x.y/z": 1, "io.modelcontextprotocol/unknown": 2 } };
    const { client } = await stateless({ "tools/call": ok(result) });
    expect(await client.callTool("x")).toEqual(result);
  });
});

describe("errors", () => {
  test("ERR-12: a server's error arrives as it was sent", async () => {
    const { client } = await stateless({ "tools/call": fail(-32099, "Odd", { a: [1] }) });
    const error = await client.callTool("x").catch((e) => e);
    expect(error).toBeInstanceOf(RpcError);
    expect(error).toMatchObject({ code: -32099, message: "Odd", data: { a: [1] } });
  });

  test("ERR-03, ERR-09: an old implementation's timeout code is a server's error, and no timeout of ours", async () => {
    const { client } = await stateless({ "tools/call": fail(-32001, "Request timed out") });
    const error = await client.callTool("x").catch((e) => e);
    expect(error).toBeInstanceOf(RpcError);
    expect(error).not.toBeInstanceOf(LocalError);
    expect(error.code).toBe(-32001);
  });
});

describe("a version that is refused in mid-connection", () => {
  const newer = "2027-01-01" as never;
  const eras = [statelessClient({ versions: [newer, "2026-07-28"] })];
  const both = ok({ ...discovered, supportedVersions: [newer, "2026-07-28"] });

  test("VER-C-03: is replaced by another that both know, once, and kept", async () => {
    const { client, server } = await stateless(
      {
        "server/discover": both,
        "tools/call": ({ params }) =>
          params?._meta?.[keys.version] === newer
            ? fail(-32022, "No", { supported: ["2026-07-28"], requested: newer })
            : ok({ content: [] }),
      },
      { eras },
    );
    expect(client.server.version).toBe(newer);
    await Promise.all([client.callTool("a"), client.callTool("b")]);
    await client.callTool("c");
    expect(client.server.version).toBe("2026-07-28");
    expect(server.methods).toHaveLength(6);
    const ids = server.received.map((message) => message.id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("VER-C-04: is an error when the server always refuses, after two requests", async () => {
    const { client, server } = await stateless(
      {
        "server/discover": both,
        "tools/call": ({ params }) => {
          const requested = params?._meta?.[keys.version];
          return fail(-32022, "No", { supported: [requested === newer ? "2026-07-28" : newer], requested });
        },
      },
      { eras },
    );
    await expect(client.callTool("a")).rejects.toMatchObject({ code: -32022 });
    expect(server.methods).toEqual(["server/discover", "tools/call", "tools/call"]);
  });

  test("VER-C-04: is an error at once when the server lists it", async () => {
    const refusal = fail(-32022, "No", { supported: [newer, "2026-07-28"], requested: newer });
    const { client, server } = await stateless({ "server/discover": both, "tools/call": refusal }, { eras });
    await expect(client.callTool("a")).rejects.toMatchObject({ code: -32022 });
    expect(server.methods).toEqual(["server/discover", "tools/call"]);
  });
});

test("JR-28, STD-11, STD-28: a stateless client never sends a response, to whatever a server asks", async () => {
  const { client, server } = await stateless({
    "server/discover": (_, run) => {
      run.send({ id: 1, method: "ping" });
      return ok(discovered);
    },
    "tools/call": ok({ content: [] }),
  });
  for (const [id, method] of ["ping", "roots/list", "sampling/createMessage"].entries())
    server.last.send({ id, method });
  await client.callTool("x");
  expect(server.received.filter((message) => message.method === undefined)).toEqual([]);
  expect(server.reports.map((report) => report.kind)).toEqual(Array(4).fill("unanswered_request"));
});

// a rejection that nobody handles fails the run
test("BUG-19: callbacks that reject later end nothing, and are reported", async () => {
  const report = vi.fn(async () => {
    throw new Error("no log");
  });
  const { client, server } = await handshake(
    {
      "tools/call": ({ params }, run) => {
        const progressToken = params?._meta?.["progressToken"];
        run.send({ method: "notifications/progress", params: { progressToken, progress: 1 } });
        run.send({ method: "notifications/message", params: { level: "info", data: "x" } });
        return ok({ content: [] });
      },
    },
    {
      onNotification: async () => {
        throw new Error("listener");
      },
      report,
    },
  );
  const onProgress = async (): Promise<never> => {
    throw new Error("progress");
  };
  await client.callTool("x", {}, { onProgress });
  await vi.waitUntil(() => report.mock.calls.length === 2);
  expect(report.mock.calls).toEqual([
    [{ kind: "callback_failed", error: new Error("progress") }],
    [{ kind: "callback_failed", error: new Error("listener") }],
  ]);
  expect(server.last.closed).toBe(false);
});

test("notifications that belong to no call are handed on, and a listener that throws ends nothing", async () => {
  const heard: RpcNotification[] = [];
  const reports: unknown[] = [];
  const { client, server } = await handshake(
    { "tools/call": ok({ content: [] }) },
    {
      onNotification: (message) => {
        heard.push(message);
        throw new Error("listener");
      },
      report: (report) => reports.push(report),
    },
  );
  server.last.send({ method: "notifications/message", params: { level: "info", data: "x" } });
  await client.callTool("x");
  expect(heard).toMatchObject([{ method: "notifications/message", params: { level: "info", data: "x" } }]);
  expect(reports).toEqual([{ kind: "callback_failed", error: new Error("listener") }]);
});

test("VER-C-24, PRG-02: one client serves many conversations at once", async () => {
  const { client, server } = await stateless({
    "tools/call": ({ params }) => ok({ content: [{ type: "text", text: params?.["name"] }] }),
  });
  const names = Array.from({ length: 100 }, (_, index) => `tool-${index}`);
  const results = await Promise.all(names.map((name) => client.callTool(name)));
  expect(results.map((result) => result.content[0])).toEqual(names.map((text) => ({ type: "text", text })));
  const tokens = server.received.slice(1).map((message) => message.params?._meta?.["progressToken"]);
  expect(new Set(tokens).size).toBe(100);
});
