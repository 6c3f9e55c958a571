import { describe, expect, test } from "vitest";
import { compile } from "./compile.js";
import { defaults } from "./defaults/index.js";
import { SchemaError } from "./errors.js";
import { customDialects } from "./meta-schemas/index.js";

function faultOf(schema: unknown, options?: Parameters<typeof compile>[1]): SchemaError {
  try {
    compile(schema, options);
  } catch (error) {
    if (error instanceof SchemaError) return error;
    throw error;
  }
  throw new Error("it compiled");
}

describe("dialects", () => {
  test("SCH-01: a schema without $schema is 2020-12, so prefixItems and $defs work", () => {
    const { check } = compile({ $defs: { n: { type: "number" } }, prefixItems: [{ $ref: "#/$defs/n" }], items: false });
    expect(check([1])).toBe(true);
    expect(check(["1"])).toBe(false);
    expect(check([1, 2])).toBe(false);
  });

  test("SCH-02: habits of draft-07 do no harm without $schema: definitions are found, dependencies hold", () => {
    const { check } = compile({
      definitions: { name: { type: "string" } },
      properties: { a: { $ref: "#/definitions/name" } },
      dependencies: { a: ["b"] },
    });
    expect(check({ a: "x", b: 1 })).toBe(true);
    expect(check({ a: 1, b: 1 })).toBe(false);
    expect(check({ a: "x" })).toBe(false);
  });

  test("SCH-03: $schema names draft-07, where $ref stands alone and items may be a list; BUG-96", () => {
    const { check } = compile({
      $schema: "http://json-schema.org/draft-07/schema#",
      definitions: { n: { type: "number" } },
      properties: {
        a: { $ref: "#/definitions/n", maximum: 1 },
        b: { items: [{ type: "string" }], additionalItems: false },
      },
    });
    expect(check({ a: 5, b: ["x"] })).toBe(true);
    expect(check({ b: ["x", "y"] })).toBe(false);
  });

  test("SCH-05: an unknown dialect is an error that names it and the known ones; BUG-96", () => {
    const error = faultOf({ $schema: "http://json-schema.org/draft-04/schema#" });
    expect(error.code).toBe("UNKNOWN_DIALECT");
    expect(error.location).toBe("#/$schema");
    expect(error.message).toContain("draft-04");
    expect(error.message).toContain("2020-12 and draft-07");
  });

  test("SCH-05: a meta-schema that requires an unknown vocabulary is refused, one that offers it is not", () => {
    const meta = (isRequired: boolean) => ({
      "https://example.com/meta": {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        $vocabulary: {
          "https://json-schema.org/draft/2020-12/vocab/core": true,
          "https://example.com/units": isRequired,
        },
      },
    });
    const schema = { $schema: "https://example.com/meta", type: "string" };
    const fault = faultOf(schema, { documents: meta(true), customDialects });
    expect(fault).toMatchObject({ code: "UNKNOWN_DIALECT", location: "#/$schema" });
    expect(fault.message).toContain("https://example.com/units");
    expect(compile(schema, { documents: meta(false), customDialects }).check(1)).toBe(true);
    expect(faultOf(schema, { documents: meta(false) }).code).toBe("UNKNOWN_DIALECT");
  });

  test("the dialect of a schema that names none can be set", () => {
    expect(compile({ items: [{ type: "string" }] }, { dialect: "draft-07" }).check([1])).toBe(false);
  });
});

describe("invalid schemas", () => {
  test.each([
    [{ type: "objekt" }, "#/type", 'did you mean "object"?'],
    [{ properties: { a: { minLength: -1 } } }, "#/properties/a/minLength", "at least 0; got -1"],
    [{ properties: null }, "#/properties", "of type object; got null"],
    [{ required: "a" }, "#/required", 'of type array; got "a"'],
    [{ allOf: [] }, "#/allOf", "at least 1 item"],
    [{ items: [{}] }, "#/items", "of type object or boolean; got an array"],
    [{ $defs: { unused: { enum: 1 } } }, "#/$defs/unused/enum", "of type array; got 1"],
    [{ pattern: "(" }, "#/pattern", "Invalid regular expression"],
    [{ patternProperties: { "(": {} } }, "#/patternProperties", "Invalid regular expression"],
    [null, "#", "null"],
  ])("SCH-06: %j is refused, with the place and the fix", (schema, location, words) => {
    const error = faultOf(schema);
    expect(error.code).toBe("INVALID_SCHEMA");
    expect(error.location).toBe(location);
    expect(error.message).toContain(words);
  });
});

describe("references", () => {
  test.each([
    { $ref: "https://example.com/other.json" },
    { $ref: "//example.com/x" },
    { $id: "https://example.com/root.json", $ref: "other.json" },
    { $id: "https://example.com/root.json", $dynamicRef: "other.json#node" },
    { $schema: "https://json-schema.org/draft/2020-12/schema", properties: { a: { $ref: "http://127.0.0.1:9/x" } } },
  ])("SCH-07: %j is not fetched but refused", (schema) => {
    const error = faultOf(schema);
    expect(error.code).toBe("UNRESOLVED_REFERENCE");
    expect(error.message).toContain("nothing is fetched, pass it in options.documents");
  });

  test("SCH-09: a reference to nowhere is refused, also where nothing leads to it; BUG-95", () => {
    const error = faultOf({ type: "object", properties: { a: { $ref: "#/$defs/Missing" } } });
    expect(error.code).toBe("UNRESOLVED_REFERENCE");
    expect(error.location).toBe("#/properties/a/$ref");
    expect(faultOf({ $defs: { unused: { $ref: "#nowhere" } } }).location).toBe("#/$defs/unused/$ref");
    expect(faultOf({ $ref: "#/constructor" }).code).toBe("UNRESOLVED_REFERENCE");
  });

  test("documents that are handed in are found by their URI and by the $id inside", () => {
    const documents = {
      "https://example.com/a": { $defs: { n: { $id: "https://example.com/inner", type: "number" } } },
      "b.json": { type: "string" },
    };
    const { check } = compile(
      {
        prefixItems: [
          { $ref: "https://example.com/a#/$defs/n" },
          { $ref: "https://example.com/inner" },
          { $ref: "b.json" },
        ],
      },
      { documents },
    );
    expect(check([1, 2, "x"])).toBe(true);
    expect(check(["1"])).toBe(false);
    expect(check([1, "2"])).toBe(false);
    expect(check([1, 2, 3])).toBe(false);
  });

  test("a schema may hold one of another dialect with its own $id and $schema", () => {
    const { check } = compile({
      $defs: { old: { $id: "old", $schema: "http://json-schema.org/draft-07/schema#", items: [{ type: "string" }] } },
      $ref: "old",
    });
    expect(check(["x"])).toBe(true);
    expect(check([1])).toBe(false);
  });
});

test("SCH-12: a schema is only read: frozen, unknown keywords and all", () => {
  const freeze = <T>(value: T): T => {
    if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
    return value;
  };
  const schema = freeze({ type: "object", "x-note": { type: "objekt" }, properties: { a: { default: [1] } } });
  const verdict = compile(schema, { defaults }).validate(freeze({}));
  expect(verdict).toEqual({ valid: true, value: { a: [1] } });
});
