import { jsonSchema } from "@parlance/json-schema";
import { defaults } from "@parlance/json-schema/defaults";
import { expect, expectTypeOf, test, vi } from "vitest";
import { callTool, listTools } from "./local.js";
import { createToolRegistry } from "./registry.js";
import { tool } from "./tool.js";

const listDocs = {
  title: "Lister les documents",
  type: "object",
  properties: {
    prefix: { type: "string", description: "Préfixe" },
    limit: { type: "integer", minimum: 1, maximum: 500, default: 200, "x-unit": "documents" },
  },
  additionalProperties: false,
};

test("run is typed by what the author says that a raw schema describes", () => {
  tool({
    name: "t",
    description: "",
    input: jsonSchema<{ a: number }>({ type: "object" }),
    output: jsonSchema<{ b: string }>({ type: "object" }),
    run(input) {
      expectTypeOf(input).toEqualTypeOf<{ a: number }>();
      return { b: "" };
    },
  });
});

test("T-5, SCH-12: a raw schema is listed as it was given: titles, bounds, defaults, closed objects, unknown members", () => {
  const input = jsonSchema(listDocs);
  const [listed] = listTools(createToolRegistry([tool({ name: "t", description: "", input, run: () => {} })]));
  expect(listed?.inputSchema).toEqual(listDocs);
});

test("T-5, SCH-14: defaults of a raw schema are applied when that was asked for", async () => {
  const run = vi.fn();
  const registry = createToolRegistry([
    tool({ name: "filled", description: "", input: jsonSchema(listDocs, { defaults }), run }),
    tool({ name: "plain", description: "", input: jsonSchema(listDocs), run }),
  ]);
  await callTool(registry, "filled", {});
  expect(run).toHaveBeenLastCalledWith({ limit: 200 }, expect.anything());
  await callTool(registry, "plain", {});
  expect(run).toHaveBeenLastCalledWith({}, expect.anything());
});

test.each([
  [{ limit: 0 }, "limit"],
  [{ limit: "5" }, "limit"],
  [{ bogus: 1 }, "bogus"],
])("TOOL-23, BUG-103: %j breaks a raw schema, and the answer says where", async (args, where) => {
  const run = vi.fn();
  const registry = createToolRegistry([tool({ name: "t", description: "", input: jsonSchema(listDocs), run })]);
  const result = await callTool(registry, "t", args);
  expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining(where) }] });
  expect(run).not.toHaveBeenCalled();
});

test("SCH-05, SCH-06: a raw schema that is invalid or of an unknown dialect is refused before there is a tool", () => {
  expect(() => jsonSchema({ type: "objekt" })).toThrow("objekt");
  expect(() => jsonSchema({ $schema: "http://json-schema.org/draft-04/schema#" })).toThrow("draft-04");
});

test("BUG-96: a draft-07 schema with definitions validates, and is listed as it is", async () => {
  const schema = {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    definitions: { name: { type: "string", minLength: 1 } },
    properties: { name: { $ref: "#/definitions/name" } },
  };
  const input = jsonSchema<{ name: string }>(schema);
  const registry = createToolRegistry([tool({ name: "t", description: "", input, run: ({ name }) => name })]);
  expect(listTools(registry)[0]?.inputSchema).toEqual(schema);
  expect(await callTool(registry, "t", { name: "" })).toMatchObject({ isError: true });
  expect(await callTool(registry, "t", { name: "ann" })).toMatchObject({ content: [{ text: "ann" }] });
});

test("BUG-97: an input of alternatives is listed with an object root", () => {
  const anyOf = [
    { type: "object", required: ["a"] },
    { type: "object", required: ["b"] },
  ];
  const [listed] = listTools(
    createToolRegistry([tool({ name: "t", description: "", input: jsonSchema({ anyOf }), run: () => {} })]),
  );
  expect(listed?.inputSchema).toEqual({ type: "object", anyOf });
});

test("TOOL-13: a result is held to a raw output schema", async () => {
  const output = jsonSchema<{ count: number }>({
    type: "object",
    properties: { count: { type: "integer" } },
    required: ["count"],
  });
  let count = 1;
  const registry = createToolRegistry([tool({ name: "t", description: "", output, run: () => ({ count }) })]);
  expect(await callTool(registry, "t")).toEqual({
    content: [{ type: "text", text: '{"count":1}' }],
    structuredContent: { count: 1 },
  });
  count = 1.5;
  expect(await callTool(registry, "t")).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/^Tool "t" failed/) }],
  });
});
