import { describe, expect, test } from "vitest";
import { compile } from "../compile.js";
import { defaults } from "./index.js";

function filled(schema: unknown, value: unknown): unknown {
  const verdict = compile(schema, { defaults }).validate(value);
  return verdict.valid ? verdict.value : verdict.issues.map(({ message }) => message);
}

describe("defaults, asked for", () => {
  const schema = {
    type: "object",
    properties: {
      prefix: { type: "string" },
      limit: { type: "integer", minimum: 1, default: 200 },
      options: { type: "object", default: {}, properties: { deep: { default: [1] } } },
      list: { items: { properties: { n: { default: 0 } } } },
    },
    required: ["limit"],
    additionalProperties: false,
  };

  test("are filled in before the value is looked at, in a copy", () => {
    const value = { list: [{}, { n: 1 }] };
    expect(filled(schema, value)).toEqual({ list: [{ n: 0 }, { n: 1 }], limit: 200, options: { deep: [1] } });
    expect(value).toEqual({ list: [{}, { n: 1 }] });
  });

  test("do not replace what is there, null included", () => {
    expect(filled({ properties: { a: { default: 1 } } }, { a: null })).toEqual({ a: null });
  });

  test("are copied anew each time", () => {
    const first = filled(schema, {});
    expect(first).not.toBe(filled(schema, {}));
    expect(first).toEqual(filled(schema, {}));
  });

  test("leave a value that lacks nothing as it is", () => {
    const value = { limit: 1, options: { deep: 2 } };
    expect(filled(schema, value)).toBe(value);
  });

  test("are found through $ref and allOf, but not where a schema applies on condition", () => {
    const conditional = {
      anyOf: [{ properties: { c: { default: 3 } } }],
      dependentSchemas: { a: { properties: { d: { default: 4 } } } },
    };
    const schemas = {
      $defs: { a: { properties: { a: { default: 1 } } } },
      allOf: [{ $ref: "#/$defs/a" }, { properties: { b: { default: 2 } } }],
      ...conditional,
    };
    expect(filled(schemas, {})).toEqual({ a: 1, b: 2 });
  });

  test("must hold like any value", () => {
    expect(filled({ properties: { a: { type: "string", default: 1 } } }, {})).toEqual([
      "must be of type string; got 1",
    ]);
  });
});
