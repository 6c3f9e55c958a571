import { jsonSchema } from "@parlance/json-schema";
import type { JsonObject } from "@parlance/jsonrpc";
import { type AnyTool, createToolRegistry, remoteTool, tool } from "@parlance/tool-registry";
import { expect, test } from "vitest";
import { parameterHeaders } from "./parameter-check.js";

function annotated(properties: JsonObject, root: JsonObject = {}): AnyTool {
  const input = jsonSchema({ type: "object", properties, ...root });
  return tool({ name: "t", description: "", input, run: () => "ran" });
}

const header = (name: unknown, type: unknown = "string"): JsonObject => ({ type, "x-mcp-header": name });
const register = (added: AnyTool) => createToolRegistry([added], { headers: parameterHeaders });
const add = (properties: JsonObject, root?: JsonObject) => () => register(annotated(properties, root));
const refused = expect.objectContaining({ code: "INVALID_ARGUMENT" });

test("XMH-02: properties may be annotated, nested ones too", () => {
  const inner = { type: "object", properties: { b: header("B", "integer") } };
  expect(add({ a: header("A"), c: header("C", "boolean"), nested: inner })).not.toThrow();
});

test.each([
  ["XMH-03: an empty annotation", { a: header("") }],
  ["XMH-04: an annotation that is no token", { a: header("My Header") }],
  ["XMH-04: an annotation with a line break", { a: header("A\r\nB") }],
  ["XMH-04: an annotation beyond ASCII", { a: header("Région") }],
  ["an annotation that is no string", { a: header(1) }],
  ["XMH-05: an annotation that is there twice, whatever the case", { a: header("A"), b: header("a") }],
  ["XMH-06: an annotated number", { a: header("A", "number") }],
  ["XMH-06: an annotated object", { a: header("A", "object") }],
  ["XMH-06: an annotated list of types", { a: header("A", ["string", "null"]) }],
  ["XMH-06: an annotation without a type", { a: { "x-mcp-header": "A" } }],
])("%s is refused when the tool is added: XMH-12", (_what, properties) => {
  expect(add(properties)).toThrow(refused);
});

test.each<[string, JsonObject]>([
  ["items", { properties: { a: { type: "array", items: header("A") } } }],
  ["additionalProperties", { additionalProperties: header("A") }],
  ["patternProperties", { patternProperties: { "^a": header("A") } }],
  ["anyOf", { anyOf: [{ properties: { a: header("A") } }] }],
  ["oneOf", { oneOf: [{ properties: { a: header("A") } }] }],
  ["allOf", { allOf: [{ properties: { a: header("A") } }] }],
  ...["not", "if", "then", "else"].map((keyword): [string, JsonObject] => [
    keyword,
    { if: {}, [keyword]: { properties: { a: header("A") } } },
  ]),
  ["$defs", { $defs: { a: header("A") } }],
])("XMH-08, XMH-12: an annotation below %s is refused when the tool is added", (_keyword, root) => {
  expect(add({}, root)).toThrow(refused);
});

test("what only looks like an annotation is none", () => {
  expect(add({ "x-mcp-header": { type: "object" }, a: { default: { "x-mcp-header": 1 } } })).not.toThrow();
});

test("a tool of another server is repeated as it is", () => {
  const inputSchema = { type: "object", properties: { a: header("") } } as const;
  const remote = remoteTool({ name: "r", inputSchema }, async () => ({ content: [] }));
  expect(() => register(remote)).not.toThrow();
});

const { check } = parameterHeaders({
  type: "object",
  properties: {
    s: header("S"),
    deep: { type: "object", properties: { i: header("I", "integer") } },
    b: header("B", "boolean"),
  },
});

function fault(args: JsonObject, sent: Readonly<Record<string, string>>): string | undefined {
  return check?.(args, (name) => sent[name]);
}

test("XMH-22, XMH-24: strings and booleans are compared exactly", () => {
  expect(fault({ s: "x", b: true }, { "Mcp-Param-S": "x", "Mcp-Param-B": "true" })).toBeUndefined();
  expect(fault({ s: "x" }, { "Mcp-Param-S": "X" })).toBe('Mcp-Param-S is "X", argument s is "x"');
  expect(fault({ b: true }, { "Mcp-Param-B": "True" })).toContain("Mcp-Param-B");
  expect(fault({ b: true }, { "Mcp-Param-B": "1" })).toContain("Mcp-Param-B");
  expect(fault({ s: "" }, { "Mcp-Param-S": "" })).toBeUndefined();
});

test("XMH-23: integers are compared as numbers", () => {
  const with42 = { deep: { i: 42 } };
  for (const same of ["42", "42.0", "4.2e1"]) expect(fault(with42, { "Mcp-Param-I": same })).toBeUndefined();
  for (const other of ["43", "0x2a", "42px", "", " 42", "Infinity"]) {
    expect(fault(with42, { "Mcp-Param-I": other })).toContain("argument deep.i is 42");
  }
});

test("XMH-25, XMH-26: a value needs its header, and an absent one must not have any", () => {
  expect(fault({ s: "x" }, {})).toBe('Mcp-Param-S is missing, argument s is "x"');
  expect(fault({}, {})).toBeUndefined();
  expect(fault({ s: null }, {})).toBeUndefined();
  expect(fault({}, { "Mcp-Param-S": "x" })).toBe('Mcp-Param-S is "x", argument s is missing');
  expect(fault({ s: null }, { "Mcp-Param-S": "null" })).toContain("argument s is null");
});
