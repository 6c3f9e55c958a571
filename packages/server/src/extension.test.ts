import { answer, type Connection, type JsonObject } from "@parlance/jsonrpc";
import { expect, test } from "vitest";
import {
  createServer,
  declaredExtension,
  extension,
  type FeatureSet,
  handshake,
  type Server,
  stateless,
} from "./index.js";

const info = { name: "test", version: "1.0.0" };
const id = "com.example/echo";
const declared = { extensions: { [id]: {} } };
const names: Readonly<Record<string, string>> = { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "echo/say" };

const echo = extension({
  id,
  settings: { loud: true },
  methods: { "echo/say": ({ params: { text } }) => ({ type: "complete", result: { text } }) },
  named: { "echo/say": "text" },
});

function serving(...features: readonly FeatureSet[]): Server {
  return createServer({ info, features, eras: [stateless(), handshake()] });
}

interface Reply {
  readonly result?: JsonObject;
  readonly error?: JsonObject;
}

async function ask(
  server: Server,
  method: string,
  params: JsonObject = {},
  { capabilities = declared as JsonObject, header }: { capabilities?: JsonObject; header?: string | null } = {},
): Promise<Reply> {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  };
  const text = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } });
  const read = (name: string): string | undefined => (name === "Mcp-Name" ? (header ?? undefined) : names[name]);
  return JSON.parse((await answer(server, text, header === undefined ? {} : { header: read })) ?? "");
}

/** A session whose client declared the extension. */
async function session(server: Server): Promise<(method: string) => Promise<Reply>> {
  const connection: Connection = { closed: new AbortController().signal };
  const send = async (method: string, params: JsonObject = {}): Promise<Reply> =>
    JSON.parse((await answer(server, JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }), { connection })) ?? "");
  const welcome = { protocolVersion: "2025-11-25", clientInfo: info, capabilities: declared };
  return (method) => send(method, method === "initialize" ? welcome : {});
}

test("EXT-01, EXT-06: an extension is announced with its settings, and nothing is where none was switched on", async () => {
  const { result } = await ask(serving(echo), "server/discover");
  expect(result?.["capabilities"]).toEqual({ extensions: { [id]: { loud: true } } });
  const { result: bare } = await ask(serving(), "server/discover");
  expect(bare?.["capabilities"]).toEqual({});
});

test.each(["ui", "echo", "", "/x", "com..example/x", "1a.b/x", "a/b c"])("EXT-02: the id %j is refused", (wrong) => {
  expect(() => extension({ id: wrong })).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
});

test.each(["com.example/x", "io.modelcontextprotocol/ui", "a-b.c/d.e_f"])("EXT-02: the id %j is taken", (right) => {
  expect(extension({ id: right }).capabilities).toEqual({ extensions: { [right]: {} } });
});

test("EXT-07: a caller that did not declare it on this request is told what to declare", async () => {
  const server = serving(echo);
  const refused = { code: -32021, data: { requiredCapabilities: { extensions: { [id]: {} } } } };
  expect(await ask(server, "echo/say", { text: "a" })).toMatchObject({ result: { text: "a" } });
  for (const capabilities of [{}, { extensions: {} }, { extensions: { [id]: true } }, { echo: {} }]) {
    expect(await ask(server, "echo/say", { text: "a" }, { capabilities })).toMatchObject({ error: refused });
  }
});

test("EXT-04, EXT-08: what only one side has changes nothing, and reaches a feature as it was declared", async () => {
  const seen: FeatureSet = {
    capabilities: {},
    methods: { seen: ({ caller }) => ({ type: "complete", result: { seen: caller.capabilities.extensions } }) },
  };
  const extensions = { "com.example/unknown": { a: [1] }, [id]: {} };
  expect(await ask(serving(seen), "seen", {}, { capabilities: { extensions } })).toMatchObject({
    result: { seen: extensions },
  });
  expect(await ask(serving(seen), "echo/say")).toMatchObject({ error: { code: -32601 } });
});

test("EXT-09: a method may be named in Mcp-Name, which must say what the body says", async () => {
  const server = serving(echo);
  expect(await ask(server, "echo/say", { text: "a" }, { header: "a" })).toMatchObject({ result: { text: "a" } });
  for (const header of ["b", null]) {
    expect(await ask(server, "echo/say", { text: "a" }, { header })).toMatchObject({ error: { code: -32020 } });
  }
});

test("EXT-03: in a session it is declared and announced as well", async () => {
  const send = await session(serving(echo));
  expect(await send("initialize")).toMatchObject({
    result: { capabilities: { extensions: { [id]: { loud: true } } } },
  });
  expect(await send("echo/say")).toMatchObject({ result: {} });
});

test("a set that is of one era is not there in the other", async () => {
  const server = serving({ ...echo, eras: ["stateless"] });
  const send = await session(server);
  expect(await send("initialize")).toMatchObject({ result: { capabilities: {} } });
  expect(await send("echo/say")).toMatchObject({ error: { code: -32601 } });
  expect(await ask(server, "echo/say", { text: "a" })).toMatchObject({ result: { text: "a" } });
});

test("a set may stand around the features of all, inside the middleware, in its eras", async () => {
  const order: string[] = [];
  const around: FeatureSet = {
    ...echo,
    eras: ["stateless"],
    around: (next) => (call) => {
      order.push(`around ${call.method}`);
      return next(call);
    },
  };
  const other: FeatureSet = { capabilities: {}, methods: { other: () => ({ type: "complete", result: {} }) } };
  const middleware = [
    (next: FeatureSet["methods"][string]): FeatureSet["methods"][string] =>
      (call) => {
        order.push("middleware");
        return next(call);
      },
  ];
  const server = createServer({ info, features: [other, around], middleware });
  await ask(server, "other");
  const send = await session(server);
  await send("initialize");
  await send("other");
  expect(order).toEqual(["middleware", "around other", "middleware"]);
});

test("settings are read as they were declared, and only where they are settings", () => {
  expect(declaredExtension({ extensions: { [id]: { a: 1 } } }, id)).toEqual({ a: 1 });
  expect(declaredExtension({ extensions: { [id]: true } }, id)).toBeUndefined();
  expect(declaredExtension({}, "constructor")).toBeUndefined();
});
