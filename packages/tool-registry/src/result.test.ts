import type { CallToolResult } from "@parlance/protocol-versions";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { RegistryError } from "./error.js";
import { callTool } from "./local.js";
import { createToolRegistry } from "./registry.js";
import type { Schema } from "./schema.js";
import { tool } from "./tool.js";

const onError = vi.fn();

function returning(returned: unknown, output?: Schema): Promise<CallToolResult> {
  return callTool(
    createToolRegistry([tool({ name: "t", description: "", output, run: () => returned })], { onError }),
    "t",
  );
}

const text = (value: string): { readonly type: "text"; readonly text: string } => ({ type: "text", text: value });
const referring = (message: string): unknown => ({
  content: [{ type: "text", text: expect.stringContaining(`${message} (reference `) }],
  isError: true,
});

test.each<[string, unknown, string]>([
  ["a string", "plain", "plain"],
  ["an empty string", "", ""],
  ["a number", 0, "0"],
  ["a boolean", false, "false"],
  ["a BigInt", 12345678901234567890n, "12345678901234567890"],
  ["an object", { a: [1, null] }, '{"a":[1,null]}'],
  ["an empty array", [], "[]"],
  ["an array", [1, "two"], '[1,"two"]'],
  ["an object that looks a little like a block", { type: "text" }, '{"type":"text"}'],
  ["an object that looks a little like a result", { content: "text" }, '{"content":"text"}'],
  [
    "an object with more members than a result",
    { content: [], isError: false, id: 1 },
    '{"content":[],"isError":false,"id":1}',
  ],
])("%s becomes one text block", async (_, returned, expected) => {
  expect(await returning(returned)).toEqual({ content: [text(expected)] });
});

test.each([[undefined], [null]])(
  "TOOL-20, BUG-101: a tool that returns nothing (%s) gives empty content and no more",
  async (returned) => {
    expect(JSON.stringify(await returning(returned))).toBe('{"content":[]}');
  },
);

const blocks: CallToolResult["content"] = [
  text("a"),
  { type: "image", data: "AA==", mimeType: "image/png" },
  { type: "audio", data: "AA==", mimeType: "audio/wav" },
  { type: "resource", resource: { uri: "file:///a", text: "a" }, annotations: { priority: 1 } },
  { type: "resource_link", uri: "file:///a", name: "a", _meta: { "com.example/k": [1] } },
];

test("TOOL-32, TOOL-36, META-07: blocks of every kind travel as they are, annotations and _meta with them", async () => {
  expect(await returning(blocks)).toEqual({ content: blocks });
  expect(await returning(blocks[1])).toEqual({ content: [blocks[1]] });
  const full = { content: blocks, _meta: { "com.example/k": { deep: true } } };
  expect(await returning(full)).toEqual(full);
});

test("an unknown block type in a result is kept", async () => {
  const result = { content: [{ type: "video", frames: [] }] };
  expect(await returning(result)).toEqual(result);
});

test("a result may say that the tool failed", async () => {
  const result = { content: [text("no such city")], isError: true };
  expect(await returning(result)).toEqual(result);
  expect(await returning({ isError: true })).toEqual({ content: [], isError: true });
});

test("a block that is not what its type says is an error, and does not travel", async () => {
  const result = await returning({ content: [text("ok"), { type: "image", data: "AA==" }] });
  expect(result).toEqual(referring('Tool "t" returned content[1], which is no image block'));
});

const sum = z.object({ sum: z.number(), unit: z.string().default("m") });

test("TOOL-13, TOOL-19: a value that fits the output schema is structured content, and text once", async () => {
  const structuredContent = { sum: 3, unit: "m" };
  const expected = { content: [text('{"sum":3,"unit":"m"}')], structuredContent };
  expect(await returning({ sum: 3 }, sum)).toEqual(expected);
  expect(await returning({ structuredContent: { sum: 3 } }, sum)).toEqual(expected);
  expect(await returning({ structuredContent: { sum: 3 }, content: [] }, sum)).toEqual(expected);
  expect(await returning(Promise.resolve({ sum: 3 }), sum)).toEqual(expected);
});

test("TOOL-19: a tool's own words beside structured content are not doubled", async () => {
  const result = { content: [text("three meters")], structuredContent: { sum: 3, unit: "m" } };
  expect(await returning(result, sum)).toEqual(result);
});

test("structured content without an output schema travels, and as text too", async () => {
  expect(await returning({ structuredContent: [1] })).toEqual({ content: [text("[1]")], structuredContent: [1] });
});

test("TOOL-13: a result that breaks its output schema is an error that says where, not a lie", async () => {
  onError.mockClear();
  const expected = referring('The result of tool "t" does not fit its output schema at sum');
  expect(await returning({ sum: "3" }, sum)).toEqual(expected);
  expect(await returning({ structuredContent: { sum: "3" }, content: [text("3")] }, sum)).toEqual(expected);
  expect(onError.mock.lastCall?.[0]).toBeInstanceOf(RegistryError);
  expect(onError.mock.lastCall?.[0]).toMatchObject({ code: "INVALID_RESULT", cause: [{ path: ["sum"] }] });
});

test("TOOL-13: with an output schema, nothing and content alone break it", async () => {
  const expected = referring('The result of tool "t" does not fit its output schema at its root');
  expect(await returning(undefined, sum)).toEqual(expected);
  expect(await returning({ content: [text("3")] }, sum)).toMatchObject({ isError: true });
  expect(await returning({ isError: false, content: [text("3")] }, sum)).toMatchObject({ isError: true });
});

test("TOOL-14: a result with isError is not checked against the output schema", async () => {
  const failed = { content: [text("the meter is broken")], isError: true };
  expect(await returning(failed, sum)).toEqual(failed);
  const detailed = { ...failed, structuredContent: { reason: "broken" } };
  expect(await returning(detailed, sum)).toEqual(detailed);
});

test("TOOL-14: an output schema that has the members of a result takes them as data", async () => {
  const output = z.object({ content: z.array(z.object({ type: z.string() })) });
  const structuredContent = { content: [{ type: "chapter" }] };
  expect(await returning(structuredContent, output)).toMatchObject({ structuredContent });
});

test.each([[null], [0], [false], [""]])(
  "TOOL-18: structured content %j is present, in a result and as a value",
  async (value) => {
    const expected = { content: [text(JSON.stringify(value))], structuredContent: value };
    expect(await returning(value, z.json())).toEqual(expected);
    expect(await returning({ structuredContent: value }, z.json())).toEqual(expected);
    expect(await returning({ structuredContent: value })).toEqual(expected);
  },
);

test("an asynchronous output schema is awaited", async () => {
  const output = z.number().refine(async (value) => value < 3);
  expect(await returning(1, output)).toMatchObject({ structuredContent: 1 });
  expect(await returning(5, output)).toEqual(referring("does not fit its output schema at its root"));
});

const circle: Record<string, unknown> = {};
circle["self"] = { circle };

test.each<[string, unknown, string]>([
  ["a BigInt in data", { total: [1n] }, "a BigInt at result.total[0]"],
  ["a circle in data", circle, "a circle at result.self.circle"],
  ["a BigInt in a result", { content: [text("")], structuredContent: 1n }, "a BigInt at result.structuredContent"],
  ["a circle in _meta", { content: [], _meta: circle }, "a circle at result._meta.self.circle"],
  ["a map", new Map([["a", 1]]), "a Map at result"],
  [
    "a set in a result",
    { content: [], structuredContent: { all: new Set([1]) } },
    "a Set at result.structuredContent.all",
  ],
  ["a function", (): void => {}, "a function, which is no JSON"],
])("what cannot be JSON, such as %s, is an error that says where", async (_, returned, where) => {
  expect(await returning(returned)).toEqual(referring(`Tool "t" returned ${where}`));
});

test("a value that fits its output schema and cannot be JSON is an error that says where", async () => {
  expect(await returning({ id: 1n }, z.object({ id: z.bigint() }))).toEqual(referring("a BigInt at result.id"));
});

test("an object that is used twice is no circle, and a date writes itself", async () => {
  const shared = { at: new Date(0) };
  const result = { content: [], structuredContent: { a: shared, b: shared } };
  expect((await returning(result)).content).toEqual([
    text('{"a":{"at":"1970-01-01T00:00:00.000Z"},"b":{"at":"1970-01-01T00:00:00.000Z"}}'),
  ]);
});
