import type { JsonObject } from "@parlance/jsonrpc";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { callTool, listTools } from "./local.js";
import { createToolRegistry } from "./registry.js";
import type { Schema } from "./schema.js";
import { type AnyTool, tool } from "./tool.js";

function withInput(input: unknown): AnyTool {
  return tool({ name: "t", description: "", input: input as Schema, run: (args) => args });
}

const libraries: readonly (readonly [string, Schema])[] = [
  ["zod", z.object({ count: z.int().min(1).max(500).default(200), prefix: z.string().optional() })],
  ["arktype", type({ count: "1 <= number.integer <= 500 = 200", "prefix?": "string" })],
  [
    "valibot",
    toStandardJsonSchema(
      v.object({
        count: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(500)), 200),
        prefix: v.optional(v.string()),
      }),
    ),
  ],
];

test.each(libraries)("SCH-13: a schema of %s is listed as JSON Schema 2020-12", (_, input) => {
  const [listed] = listTools(createToolRegistry([withInput(input)]));
  expect(listed?.inputSchema).toMatchObject({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: { count: { type: "integer", minimum: 1, maximum: 500 }, prefix: { type: "string" } },
  });
});

test.each(libraries)("T-5: a schema of %s validates, and applies its defaults", async (_, input) => {
  const registry = createToolRegistry([withInput(input)]);
  expect(await callTool(registry, "t", {})).toEqual({ content: [{ type: "text", text: '{"count":200}' }] });
  const failed = await callTool(registry, "t", { count: 501 });
  expect(failed).toMatchObject({ isError: true });
  expect(failed.content[0]).toMatchObject({ text: expect.stringMatching(/\n- count: .*500.*[ ]501\)?$/) });
});

test("SCH-13: references stay inside the schema", () => {
  const node: z.ZodType = z.object({
    get children() {
      return z.array(node);
    },
  });
  const [listed] = listTools(createToolRegistry([withInput(z.object({ root: node }))]));
  const references = JSON.stringify(listed).match(/(?<="\$ref":")[^"]*/g) ?? [];
  expect(references).not.toEqual([]);
  for (const reference of references) expect(reference).toMatch(/^#\/\$defs\//);
});

test("XMH-02: an x-mcp-header annotation is listed untouched", () => {
  const input = z.object({ region: z.string().meta({ "x-mcp-header": "Region" }) });
  const [listed] = listTools(createToolRegistry([withInput(input)], { headers: () => ({}) }));
  expect(listed?.inputSchema).toMatchObject({ properties: { region: { "x-mcp-header": "Region" } } });
});

test("an input lists what may go in, an output what comes out", () => {
  const schema = z.object({ unit: z.string().default("m") });
  const both = tool({ name: "t", description: "", input: schema, output: schema, run: (args) => args });
  const [listed] = listTools(createToolRegistry([both]));
  expect(listed?.inputSchema).not.toHaveProperty("required");
  expect(listed?.outputSchema).toMatchObject({ required: ["unit"] });
});

test("an input is converted when its tool is added, and not again to be listed", () => {
  const convert = vi.fn(() => ({ type: "object" }));
  const input: Schema = {
    "~standard": {
      version: 1,
      vendor: "ours",
      validate: (value) => ({ value }),
      jsonSchema: { input: convert, output: convert },
    },
  };
  const registry = createToolRegistry([withInput(input)]);
  registry.add(tool({ name: "u", description: "", run: () => {} }));
  listTools(registry);
  expect(convert.mock.calls).toEqual([[{ target: "draft-2020-12" }]]);
});

test.each<[string, unknown]>([
  ["raw JSON Schema", { type: "object" }],
  ["a shape of zod", { a: z.string() }],
  ["null", null],
  ["a bare Valibot schema", v.object({})],
  ["what has no JSON Schema", z.object({ at: z.date() })],
  ["a schema of a text", z.string()],
  ["an old zod", { "~standard": { vendor: "zod", validate: () => {} } }],
])("%s is refused when it is added, saying what to do", (_, input) => {
  expect(() => createToolRegistry([withInput(input)])).toThrow(
    /^the input of tool "t" cannot be listed: .*; z\.object\(\) of zod 4\.2, .* and jsonSchema\(\{ … \}\) can$/,
  );
  expect(() => createToolRegistry([withInput(input)])).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
});

test("a validator is called on its own object", async () => {
  class Standard {
    readonly version = 1;
    readonly vendor = "ours";
    readonly jsonSchema = { input: () => ({ type: "object" }), output: () => ({}) };
    readonly suffix = "!";
    validate(value: unknown): { readonly value: string } {
      return { value: JSON.stringify(value) + this.suffix };
    }
  }
  const registry = createToolRegistry([withInput({ "~standard": new Standard() })]);
  expect(await callTool(registry, "t", {})).toEqual({ content: [{ type: "text", text: "{}!" }] });
});

test("a message about arguments is bounded, whatever the caller and the library put into it", async () => {
  const long = "x".repeat(100_000);
  const size = async (input: Schema | undefined, args: JsonObject): Promise<number> =>
    JSON.stringify(await callTool(createToolRegistry([withInput(input)]), "t", args)).length;
  const list = Array.from({ length: 50 }, () => long);
  expect(await size(z.object({ list: z.array(z.number()) }), { list })).toBeLessThan(3000);
  expect(await size(toStandardJsonSchema(v.object({ n: v.number() })), { n: long })).toBeLessThan(3000);
  expect(await size(z.object({ n: z.record(z.string(), z.number()) }), { n: { [long]: "" } })).toBeLessThan(3000);
  expect(await size(undefined, Object.fromEntries(list.map((text, index) => [index + text, 1])))).toBeLessThan(3000);
  const { content } = await callTool(createToolRegistry([withInput(z.object({ list: z.array(z.number()) }))]), "t", {
    list,
  });
  expect(content[0]).toMatchObject({ text: expect.stringMatching(/\n- and 40 more$/) });
});

test("what is found is named: by its value, as JSON", async () => {
  const shape = z.object({ a: z.string(), b: z.string(), c: z.string(), d: z.string(), e: z.string() });
  const registry = createToolRegistry([withInput(shape)]);
  const { content } = await callTool(registry, "t", { a: 1.5, b: true, c: null, d: [1], e: { n: 1 } });
  // of null zod says so by itself
  const found = /\(it is ([^)]*)\)/g;
  const text = content[0]?.type === "text" ? content[0].text : "";
  expect([...text.matchAll(found)].map(([, what]) => what)).toEqual(["1.5", "true", "[1]", '{"n":1}']);
});

test("a value that the message names is not named again, and neither is the root", async () => {
  const issues = [
    { message: "must be at least 0; got -1", path: ["n"] },
    { message: "must be at least 10", path: ["n"] },
    { message: "n must be positive (was -1)", path: ["n"] },
    { message: "must have n" },
  ];
  const jsonSchema = { input: () => ({ type: "object" }), output: () => ({}) };
  const input: Schema = { "~standard": { version: 1, vendor: "ours", validate: () => ({ issues }), jsonSchema } };
  const { content } = await callTool(createToolRegistry([withInput(input)]), "t", { n: -1 });
  const lines = content[0]?.type === "text" ? content[0].text.split("\n").slice(1) : [];
  expect(lines).toEqual([
    "- n: must be at least 0; got -1",
    "- n: must be at least 10 (it is -1)",
    "- n: n must be positive (was -1)",
    "- must have n",
  ]);
});
