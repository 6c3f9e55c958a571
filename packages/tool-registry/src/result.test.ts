import { LocalError } from "@parlance/jsonrpc";
import type { CallToolResult } from "@parlance/protocol-versions";
import { expect, test, vi } from "vitest";
import { z } from "zod";
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
const failed = { content: [{ type: "text", text: expect.stringMatching(/^Tool "t" failed/) }], isError: true };

/** What the server hears of the last failure. */
const heard = (): unknown => onError.mock.lastCall?.[0];

test.each<[string, unknown, string]>([
  ["a string", "plain", "plain"],
  ["an empty string", "", ""],
  ["a number", 0, "0"],
  ["a boolean", false, "false"],
  ["an object", { a: [1, null] }, '{"a":[1,null]}'],
  ["an empty array", [], "[]"],
  ["an array", [1, "two"], '[1,"two"]'],
  ["an object that looks a little like a block", { type: "text" }, '{"type":"text"}'],
  ["a text that is none", { type: "text", text: { a: 1 } }, '{"type":"text","text":{"a":1}}'],
  ["a resource that is none", { type: "resource", resource: "a:b" }, '{"type":"resource","resource":"a:b"}'],
  ["a failure that is said in words", { content: [], isError: "yes" }, '{"content":[],"isError":"yes"}'],
  ["a _meta that is none", { content: [], _meta: 5 }, '{"content":[],"_meta":5}'],
  ["an object that looks a little like a result", { content: "text" }, '{"content":"text"}'],
  ["an image that does not say of what kind", { type: "image", data: "AA==" }, '{"type":"image","data":"AA=="}'],
  ["a link without a name", { type: "resource_link", uri: "a:b" }, '{"type":"resource_link","uri":"a:b"}'],
  [
    "a result with a block that is none",
    { content: [{ type: "image" }], isError: false },
    '{"content":[{"type":"image"}],"isError":false}',
  ],
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

test("a result may say that the tool failed", async () => {
  const result = { content: [text("no such city")], isError: true };
  expect(await returning(result)).toEqual(result);
  expect(await returning({ isError: true })).toEqual({ content: [], isError: true });
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

test("TOOL-13: a result that breaks its output schema is an error, not a lie, and the server hears where", async () => {
  expect(await returning({ sum: "3" }, sum)).toEqual(failed);
  expect(await returning({ structuredContent: { sum: "3" }, content: [text("3")] }, sum)).toEqual(failed);
  expect(heard()).toBeInstanceOf(LocalError);
  expect(heard()).toMatchObject({
    message: expect.stringMatching(/^the result of tool "t" does not fit its output schema:\n- sum: /),
    cause: [{ path: ["sum"] }],
  });
});

test("TOOL-13: with an output schema, nothing and content alone break it", async () => {
  expect(await returning(undefined, sum)).toEqual(failed);
  expect(await returning({ content: [text("3")] }, sum)).toEqual(failed);
  expect(await returning({ isError: false, content: [text("3")] }, sum)).toEqual(failed);
});

test("TOOL-14: a result with isError is not checked against the output schema", async () => {
  const broken = { content: [text("the meter is broken")], isError: true };
  expect(await returning(broken, sum)).toEqual(broken);
  const detailed = { ...broken, structuredContent: { reason: "broken" } };
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
  expect(await returning(5, output)).toEqual(failed);
});

const circle: Record<string, unknown> = {};
circle["self"] = { circle };

test.each<[string, unknown]>([
  ["a BigInt", { total: [1n] }],
  ["a circle", circle],
  ["a function", (): void => {}],
])("%s cannot be JSON: the tool has failed, and the server hears why", async (_, returned) => {
  expect(await returning(returned)).toEqual(failed);
  expect(await returning(returned, z.json().or(z.any()))).toEqual(failed);
  expect(heard()).toBeInstanceOf(TypeError);
});

test("an object that is used twice is no circle, and a date writes itself", async () => {
  const shared = { at: new Date(0) };
  const result = { content: [], structuredContent: { a: shared, b: shared } };
  expect((await returning(result)).content).toEqual([
    text('{"a":{"at":"1970-01-01T00:00:00.000Z"},"b":{"at":"1970-01-01T00:00:00.000Z"}}'),
  ]);
});
