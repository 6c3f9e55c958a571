import { answer, type Connection, connect, type JsonObject, memoryPair } from "@parlance/jsonrpc";
import { announcing, type FeatureSet } from "@parlance/protocol-versions";
import { expect, test } from "vitest";
import { handshake, stateless } from "./index.js";
import { createServer, type Server } from "./server.js";

const info = { name: "test", version: "1.0.0" };
const envelope = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};
const introduction = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "c", version: "1" } };

const words: FeatureSet = {
  ...announcing,
  capabilities: { tools: {} },
  promises: { tools: { listChanged: true } },
  methods: {
    "tools/call": async ({ params }) => ({ type: "complete", result: { content: [], heard: params["name"] } }),
  },
};

/** Speaks for one connection, by the text on the wire. */
function caller(server: Server) {
  const connection: Connection = { closed: new AbortController().signal, notify: async () => undefined };
  let id = 0;
  return {
    ask: async (method: string, params?: JsonObject): Promise<JsonObject> => {
      id++;
      const text = await answer(server, JSON.stringify({ jsonrpc: "2.0", id, method, params }), { connection });
      return JSON.parse(text ?? "null");
    },
    tell: async (method: string): Promise<string | undefined> =>
      answer(server, JSON.stringify({ jsonrpc: "2.0", method }), { connection }),
  };
}

test("JR-30: a server without features introduces itself in both eras and knows no other method", async () => {
  const { ask, tell } = caller(createServer({ info, features: [] }));
  expect(await ask("server/discover", { _meta: envelope })).toMatchObject({
    result: { resultType: "complete", capabilities: {}, _meta: { "io.modelcontextprotocol/serverInfo": info } },
  });
  expect(await ask("tools/list", { _meta: envelope })).toMatchObject({ error: { code: -32601 } });
  expect(await ask("initialize", introduction)).toMatchObject({ result: { serverInfo: info, capabilities: {} } });
  expect(await tell("notifications/initialized")).toBeUndefined();
  expect(await ask("ping")).toMatchObject({ result: {} });
  expect(await ask("tools/list", {})).toMatchObject({ error: { code: -32601 } });
});

test("VER-S-10: a server without the handshake answers initialize with −32022 and what it supports", async () => {
  const { ask } = caller(createServer({ info, features: [], eras: [stateless()] }));
  const { error } = await ask("initialize", introduction);
  expect(error).toMatchObject({ code: -32022, data: { supported: ["2026-07-28"], requested: "2025-11-25" } });
  expect(error).toHaveProperty("message", expect.stringContaining("2026-07-28"));
});

test("LC-11: before initialize, a server of both eras names the missing keys and the other way in", async () => {
  const { ask } = caller(createServer({ info, features: [words] }));
  const { error } = await ask("tools/call", { name: "x" });
  expect(error).toMatchObject({ code: -32602 });
  const message = expect.stringMatching(/protocolVersion.*clientCapabilities.*initialize/);
  expect(error).toHaveProperty("message", message);
});

test("LC-11, BUG-76: before initialize, a server of the handshake alone answers −32600; after it, without waiting, it serves", async () => {
  const { ask } = caller(createServer({ info, features: [words], eras: [handshake()] }));
  expect(await ask("tools/call", { name: "x" })).toMatchObject({ error: { code: -32600 } });
  await ask("initialize", introduction);
  expect(await ask("tools/call", { name: "x" })).toMatchObject({ result: { heard: "x" } });
});

test("VER-S-14, VER-S-15: one connection carries both eras, and neither disturbs the other", async () => {
  const { ask } = caller(createServer({ info, features: [words] }));
  await ask("initialize", introduction);
  expect(await ask("tools/call", { name: "a", _meta: envelope })).toMatchObject({
    result: { heard: "a", resultType: "complete" },
  });
  const { result } = await ask("tools/call", { name: "b" });
  expect(result).toEqual({ content: [], heard: "b" });
});

test("BUG-75: a second initialize is refused and the first session goes on", async () => {
  const { ask } = caller(createServer({ info, features: [words] }));
  await ask("initialize", { ...introduction, protocolVersion: "2025-06-18" });
  expect(await ask("initialize", introduction)).toMatchObject({ error: { code: -32600 } });
  expect(await ask("tools/call", { name: "x" })).toMatchObject({ result: { heard: "x" } });
});

test("BUG-67: a notification's method with an id is one unknown method and changes nothing", async () => {
  const { ask } = caller(createServer({ info, features: [words] }));
  await ask("initialize", introduction);
  expect(await ask("notifications/initialized")).toMatchObject({ error: { code: -32601 } });
});

test("BUG-66: nothing is written for a notification, known or not, before or after initialize", async () => {
  const { ask, tell } = caller(createServer({ info, features: [words] }));
  expect(await tell("no/such")).toBeUndefined();
  expect(await tell("notifications/initialized")).toBeUndefined();
  await ask("initialize", introduction);
  expect(await tell("notifications/roots/list_changed")).toBeUndefined();
  expect(await tell("no/such")).toBeUndefined();
});

test("BUG-115: without a way to announce changes none is promised", async () => {
  const promising = { capabilities: { tools: { listChanged: true } } };
  const server = createServer({ info, features: [words] });
  expect(await caller(server).ask("initialize", introduction)).toMatchObject({ result: promising });
  const deaf = { connection: { closed: new AbortController().signal } };
  const text = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: introduction });
  expect(JSON.parse((await answer(server, text, deaf)) ?? "")).not.toMatchObject({ result: promising });
});

test("BUG-132: two connections on one server get their own answers", async () => {
  const finish = new Map<unknown, () => void>();
  let started: () => void = () => undefined;
  const bothStarted = new Promise<void>((resolve) => {
    started = resolve;
  });
  const slow: FeatureSet = {
    capabilities: { tools: {} },
    methods: {
      "tools/call": ({ params: { name } }) =>
        new Promise((resolve) => {
          finish.set(name, () => resolve({ type: "complete", result: { content: [], heard: name } }));
          if (finish.size === 2) started();
        }),
    },
  };
  const server = createServer({ info, features: [slow], eras: [stateless()] });
  const [a, b] = await Promise.all(["a", "b"].map(() => join(server)));
  const asked = ["a", "b"].map((name, at) => [a, b][at]?.request("tools/call", { name, _meta: envelope }));
  await bothStarted;
  finish.get("b")?.();
  finish.get("a")?.();
  expect(await Promise.all(asked)).toMatchObject([{ heard: "a" }, { heard: "b" }]);
  await Promise.all([a?.close(), b?.close()]);
});

test("BUG-28: the connection that ends takes the signal of its running calls along", async () => {
  let signal: AbortSignal | undefined;
  let started: () => void = () => undefined;
  const running = new Promise<void>((resolve) => {
    started = resolve;
  });
  const slow: FeatureSet = {
    capabilities: { tools: {} },
    methods: {
      "tools/call": (call) => {
        signal = call.signal;
        started();
        return new Promise((_, reject) => call.signal.addEventListener("abort", () => reject(call.signal.reason)));
      },
    },
  };
  const peer = await join(createServer({ info, features: [slow] }));
  const asked = peer.request("tools/call", { name: "x", _meta: envelope }).catch((error: unknown) => error);
  await running;
  await peer.close();
  expect(await asked).toMatchObject({ code: "CLOSED" });
  await new Promise((resolve) => (signal?.aborted ? resolve(0) : signal?.addEventListener("abort", resolve)));
});

test("JR-10: a feature whose result is no object is our fault, not the wire's", async () => {
  for (const result of [[1], "text", null]) {
    const wrong: FeatureSet = {
      capabilities: {},
      methods: { odd: async () => ({ type: "complete", result: result as never }) },
    };
    const { ask } = caller(createServer({ info, features: [wrong] }));
    expect(await ask("odd", { _meta: envelope })).toMatchObject({ error: { code: -32603 } });
    await ask("initialize", introduction);
    expect(await ask("odd", {})).toMatchObject({ error: { code: -32603 } });
  }
});

async function join(server: Server) {
  const [near, far] = memoryPair();
  await connect(far, server);
  return connect(near, { request: () => ({}) });
}
