import { expect, test } from "vitest";
import { features, serveFeatures } from "../wire.fixture.js";
import { envelope, modern, modernVersion } from "./modern.fixture.js";

const { handler } = serveFeatures(features({ "resources/read": () => ({ type: "complete", result: {} }) }));

async function codeOf(response: Promise<Response>): Promise<number | undefined> {
  const { error } = await (await response).json();
  return error?.code;
}

test("the source of Mcp-Name depends on the method", async () => {
  const headers = { "mcp-name": "file:///a" };
  const uri = "file:///a";
  expect(await codeOf(modern(handler, "resources/read", { uri, name: "b" }, { headers }))).toBeUndefined();
  expect(await codeOf(modern(handler, "resources/read", { name: uri }, { headers }))).toBe(-32020);
});

test("missing _meta comes first, then the version header, then the version, then the other headers, then the method", async () => {
  const unknown = "1900-01-01";
  const _meta = { ...envelope, "io.modelcontextprotocol/protocolVersion": unknown };
  const none = { "mcp-protocol-version": undefined, "mcp-method": undefined };
  const half = { "io.modelcontextprotocol/protocolVersion": modernVersion };
  expect(await codeOf(modern(handler, "no/such", { _meta: half }, { headers: none }))).toBe(-32602);
  const versioned = { ...none, "mcp-protocol-version": unknown };
  expect(await codeOf(modern(handler, "no/such", { _meta }, { headers: none }))).toBe(-32020);
  expect(await codeOf(modern(handler, "no/such", { _meta }, { headers: versioned }))).toBe(-32022);
  const unnamed = { "mcp-method": undefined };
  expect(await codeOf(modern(handler, "no/such", {}, { headers: unnamed }))).toBe(-32020);
  expect(await codeOf(modern(handler, "no/such"))).toBe(-32601);
});

test.each(["mcp-protocol-version", "mcp-method", "mcp-name"])(
  "JR-12: the refusal of a long %s is one short line",
  async (name) => {
    const headers = { [name]: "x".repeat(8_000) };
    const { error } = await (await modern(handler, "tools/call", { name: "y".repeat(8_000) }, { headers })).json();
    expect(error.code).toBe(-32020);
    expect(error.message.length).toBeLessThan(300);
  },
);
