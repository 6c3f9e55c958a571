import { jsonSchema } from "@parlance/json-schema";
import { expect, test, vi } from "vitest";
import type { HeaderRules } from "./header-rules.js";
import { createLocalCall } from "./local.js";
import { createToolRegistry } from "./registry.js";
import { remoteTool } from "./remote.js";
import { type AnyTool, tool } from "./tool.js";

const inputSchema = { type: "object", properties: { region: { type: "string", "x-mcp-header": "Region" } } } as const;
const annotated = tool({ name: "ours", description: "", input: jsonSchema(inputSchema), run: () => "ran" });
const relayed = remoteTool({ name: "theirs", inputSchema }, async () => ({ content: [] }));
const refused = expect.objectContaining({ code: "INVALID_ARGUMENT" });

const read = (rules: HeaderRules, one: AnyTool = annotated) => createToolRegistry([one], { headers: () => rules });

test.each([annotated, relayed])("XMH-12: a tool is refused when nobody would compare its headers: $name", (one) => {
  expect(() => createToolRegistry([one])).toThrow(refused);
  expect(() => createToolRegistry([one])).toThrow(
    `the input of tool "${one.name}" has x-mcp-header; createToolRegistry(tools, { headers: parameterHeaders }) sees to it`,
  );
});

test("a text that names the annotation is none", () => {
  const input = jsonSchema({ type: "object", description: 'Set "x-mcp-header": "Region"' });
  expect(() => createToolRegistry([tool({ name: "t", description: "", input, run: () => {} })])).not.toThrow();
});

test("what is read is the schema that is listed", () => {
  const headers = vi.fn(() => ({}));
  createToolRegistry([annotated, relayed], { headers });
  expect(headers.mock.calls).toEqual([[inputSchema], [inputSchema]]);
});

test("XMH-12: a tool that is annotated wrongly is refused, one of another server is repeated as it is", () => {
  expect(() => read({ fault: "is annotated wrongly" })).toThrow(refused);
  expect(() => read({ fault: "is annotated wrongly" }, relayed)).not.toThrow();
});

test("XMH-22: a call whose headers differ is refused and not run; one without headers has nothing to compare", () => {
  const check = vi.fn(() => "they differ");
  const { methods } = read({ check });
  const args = { name: "ours", arguments: { region: "eu" } };
  const header = (): undefined => undefined;
  expect(methods["tools/call"](createLocalCall("tools/call", args, { header }))).toEqual({
    type: "refused",
    reason: "header_mismatch",
    message: "they differ",
  });
  expect(check).toHaveBeenCalledExactlyOnceWith({ region: "eu" }, header);
  const local = methods["tools/call"](createLocalCall("tools/call", args, undefined));
  expect(local).toMatchObject({ type: "complete", result: { content: [{ text: "ran" }] } });
});
