import { jsonSchema } from "@parlance/json-schema";
import { createToolRegistry, tool } from "@parlance/tool-registry";
import { expect, test } from "vitest";
import { openSession } from "../handshake/session.fixture.js";
import { type Served, serveFeatures } from "../wire.fixture.js";
import { modern } from "./modern.fixture.js";
import { parameterHeaders } from "./parameter-check.js";

function serveTool(): Served {
  const region = { type: "string", "x-mcp-header": "Region" };
  const input = jsonSchema<{ region?: string }>({ type: "object", properties: { region } });
  const tools = [tool({ name: "t", description: "", input, run: ({ region }) => String(region) })];
  const registry = createToolRegistry(tools, { headers: parameterHeaders });
  return serveFeatures(registry);
}

const call = (args: object, headers: Record<string, string>, name = "t"): Promise<Response> =>
  modern(serveTool().handler, "tools/call", { name, arguments: args }, { headers });

test("XMH-21: a header is decoded before it is compared, and a plain one is taken as it is", async () => {
  for (const header of ["Hello", "=?base64?SGVsbG8=?="]) {
    const response = await call({ region: "Hello" }, { "mcp-param-region": header });
    expect([response.status, await response.json()]).toMatchObject([200, { result: { content: [{ text: "Hello" }] } }]);
  }
});

test("XMH-19: markers are exact; what is not marked is a literal", async () => {
  for (const literal of ["=?BASE64?SGVsbG8=?=", "SGVsbG8=", "=?base64?SGVsbG8="]) {
    expect((await call({ region: literal }, { "mcp-param-region": literal })).status).toBe(200);
    expect((await call({ region: "Hello" }, { "mcp-param-region": literal })).status).toBe(400);
  }
});

test("XMH-22, XMH-25, XMH-26, XMH-27: a header that differs, is missing, unasked for or malformed is 400 with −32020", async () => {
  const cases: [object, Record<string, string>][] = [
    [{ region: "a" }, { "mcp-param-region": "b" }],
    [{ region: "a" }, {}],
    [{}, { "mcp-param-region": "a" }],
    [{ region: "Hello" }, { "mcp-param-region": "=?base64?SGVsbG8?=" }],
    [{ region: "Hello" }, { "mcp-param-region": "=?base64?SGVs!!!bG8=?=" }],
    [{ region: "é" }, { "mcp-param-region": "é" }],
    [{ region: "x" }, { "mcp-param-region": "=?base64?/w==?=" }],
  ];
  for (const [args, headers] of cases) {
    const response = await call(args, headers);
    expect([response.status, await response.json()]).toMatchObject([400, { id: 1, error: { code: -32020 } }]);
  }
  expect((await call({}, {})).status).toBe(200);
  expect((await call({ region: null }, {})).status).toBe(200);
});

test("XMH-28: a header that no argument asks for is ignored", async () => {
  expect((await call({}, { "mcp-param-other": "x" })).status).toBe(200);
});

test("XMH-29: a tool that is unknown is told so, whatever its headers", async () => {
  const response = await call({ region: "a" }, { "mcp-param-region": "b" }, "no-such");
  expect([response.status, await response.json()]).toMatchObject([200, { error: { code: -32602 } }]);
});

test("a session of an earlier revision knows no such headers", async () => {
  const session = await openSession(serveTool().handler);
  const response = await session.call("tools/call", { name: "t", arguments: { region: "a" } });
  expect(await response.json()).toMatchObject({ result: { content: [{ text: "a" }] } });
});
