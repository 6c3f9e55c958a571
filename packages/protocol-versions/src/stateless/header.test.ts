import { expect, test } from "vitest";
import { complete, exchangeOn, factsOf, refusal, serve, stateless } from "../served.fixture.js";
import { statelessServer } from "./server.js";

const era = statelessServer();
const answers = () => complete({});
const facts = factsOf([era], {
  "tools/list": answers,
  "tools/call": answers,
  "prompts/get": answers,
  "resources/read": answers,
});
const call = stateless("tools/call", { name: "x" });
const right = { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "x" };

function over(headers: Readonly<Record<string, string | undefined>>): ReturnType<typeof exchangeOn> {
  return exchangeOn(undefined, { header: (name) => headers[name] });
}

test("headers that say what the body says pass", async () => {
  expect(await serve(era, call, facts, over(right))).toMatchObject({ resultType: "complete" });
  const list = { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/list" };
  expect(await serve(era, stateless("tools/list"), facts, over(list))).toMatchObject({ resultType: "complete" });
  const discover = { ...list, "Mcp-Method": "server/discover" };
  expect(await serve(era, stateless("server/discover"), facts, over(discover))).toHaveProperty("supportedVersions");
});

test.each(Object.keys(right))("BUG-175: a missing or differing %s is -32020, and named", async (name) => {
  for (const value of [undefined, "", "TOOLS/CALL", "2025-11-25"]) {
    const error = await refusal(era, call, facts, over({ ...right, [name]: value }));
    expect(error).toMatchObject({ code: -32020 });
    expect(error.message).toContain(name);
  }
});

test("the source of Mcp-Name depends on the method", async () => {
  const headers = { ...right, "Mcp-Method": "resources/read", "Mcp-Name": "file:///é" };
  const read = stateless("resources/read", { uri: "file:///é", name: "other" });
  expect(await serve(era, read, facts, over(headers))).toMatchObject({ resultType: "complete" });
  expect(await refusal(era, stateless("resources/read", { name: "file:///é" }), facts, over(headers))).toMatchObject({
    code: -32020,
  });
});

test("missing _meta comes first, then the version header, then the version, then the other headers, then the method", async () => {
  const none = over({});
  const unknown = "1900-01-01";
  const meta = { "io.modelcontextprotocol/protocolVersion": unknown };
  const versioned = over({ "MCP-Protocol-Version": unknown });
  expect(await refusal(era, { ...call, params: {} }, facts, none)).toMatchObject({ code: -32602 });
  expect(await refusal(era, stateless("no/such", {}, meta), facts, over(right))).toMatchObject({ code: -32020 });
  expect(await refusal(era, stateless("no/such", {}, meta), facts, versioned)).toMatchObject({ code: -32022 });
  expect(await refusal(era, stateless("no/such"), facts, over(right))).toMatchObject({ code: -32020 });
  const named = over({ ...right, "Mcp-Method": "no/such" });
  expect(await refusal(era, stateless("no/such"), facts, named)).toMatchObject({ code: -32601 });
});
