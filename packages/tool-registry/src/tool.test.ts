import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import type { Schema } from "./schema.js";
import { type AnyTool, type ToolCall, tool } from "./tool.js";

const name = "t";
const description = "";

test("run is typed by a zod schema: what it gives, defaults and transformations applied", () => {
  tool({
    name,
    description,
    input: z.object({ a: z.number().default(1), b: z.string().transform((text) => text.length) }),
    run(input, call) {
      expectTypeOf(input).toEqualTypeOf<{ a: number; b: number }>();
      expectTypeOf(call).toEqualTypeOf<ToolCall>();
    },
  });
});

test("run is typed by an ArkType schema", () => {
  tool({
    name,
    description,
    input: type({ a: "number = 1", "b?": "string" }),
    run: (input) => void expectTypeOf(input).toEqualTypeOf<{ a: number; b?: string }>(),
  });
});

test("run is typed by a Valibot schema with its JSON Schema face", () => {
  tool({
    name,
    description,
    input: toStandardJsonSchema(v.object({ a: v.optional(v.number(), 1) })),
    run: (input) => void expectTypeOf(input).toEqualTypeOf<{ a: number }>(),
  });
});

test("a tool without input has no argument to read", () => {
  tool({
    name,
    description,
    run(input) {
      expectTypeOf(input).toEqualTypeOf<Record<string, never>>();
      // @ts-expect-error: nothing was declared, so nothing is there
      input.a.b;
    },
  });
});

test("a return is held to the output schema, as a value, in a result or as an error", () => {
  const output = z.object({ sum: z.number() });
  tool({ name, description, output, run: () => ({ sum: 1 }) });
  tool({ name, description, output, run: async () => ({ sum: 1 }) });
  tool({ name, description, output, run: () => ({ structuredContent: { sum: 1 }, content: [] }) });
  tool({ name, description, output, run: () => ({ isError: true, content: [{ type: "text", text: "no" }] }) });
  // @ts-expect-error: the sum is a number
  tool({ name, description, output, run: () => ({ sum: "1" }) });
  // @ts-expect-error: nothing is no sum
  tool({ name, description, output, run: () => {} });
  // @ts-expect-error: content alone carries no sum
  tool({ name, description, output, run: () => ({ content: [] }) });
});

test("run returns what the output schema takes, before its defaults and transformations", () => {
  const output = z.object({ unit: z.string().default("m"), length: z.string().transform((text) => text.length) });
  tool({ name, description, output, run: () => ({ length: "abc" }) });
});

test("without an output schema a tool may return anything or nothing", () => {
  tool({ name, description, run: () => "text" });
  tool({ name, description, run: () => {} });
  tool({ name, description, run: async () => ({ content: [{ type: "text", text: "x" }] }) });
});

test("an unvalidated tool cannot be written: an argument's type comes from the schema alone", () => {
  // @ts-expect-error: there is no schema that would make it a string
  tool({ name, description, run: (input: { a: string }) => input.a });
  // @ts-expect-error: this validates but cannot be listed
  tool({ name, description, input: v.object({ a: v.string() }), run: () => {} });
});

test("tools of different types stand in one list", () => {
  const tools: readonly AnyTool[] = [
    tool({ name, description, input: z.object({ a: z.number() }), run: ({ a }) => a }),
    tool({ name, description, output: z.number(), run: () => 1 }),
  ];
  expectTypeOf(tools).toEqualTypeOf<readonly AnyTool[]>();
  expectTypeOf(z.string()).toExtend<Schema<string, string>>();
});
