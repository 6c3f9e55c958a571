import { describe, expect, test } from "vitest";
import { compile } from "./compile.js";

function issues(schema: unknown, value: unknown): string[] {
  const verdict = compile(schema).validate(value);
  return verdict.valid ? [] : verdict.issues.map(({ instancePath, message }) => `${instancePath} ${message}`.trim());
}

describe("an issue says what is wrong, with the value, and what would be right", () => {
  const tool = {
    type: "object",
    properties: {
      path: { type: "string", minLength: 1 },
      color: { enum: ["red", "green", "blue"] },
      limit: { type: ["integer", "null"], maximum: 500 },
    },
    required: ["path"],
    additionalProperties: false,
  };

  test.each([
    [tool, "x", ['must be of type object; got "x"']],
    [tool, {}, ['must have the property "path"; got {}']],
    [tool, { path: 5 }, ["/path must be of type string; got 5"]],
    [tool, { path: "" }, ['/path must have at least 1 character; got ""']],
    [
      tool,
      { path: "a", color: "gren" },
      ['/color must be one of "red", "green", "blue"; got "gren"; did you mean "green"?'],
    ],
    [
      tool,
      { path: "a", color: "RED" },
      ['/color must be one of "red", "green", "blue"; got "RED"; did you mean "red"?'],
    ],
    [tool, { path: "a", color: "mauve" }, ['/color must be one of "red", "green", "blue"; got "mauve"']],
    [tool, { path: "a", limit: 501 }, ["/limit must be at most 500; got 501"]],
    [tool, { path: "a", limit: 1.5 }, ["/limit must be of type integer or null; got 1.5"]],
    [
      tool,
      { path: "a", colour: 1 },
      ['must not have the property "colour"; got an object with "path", "colour"; did you mean "color"?'],
    ],
    [
      tool,
      { path: "a", zzzzzz: 1 },
      [
        'must not have the property "zzzzzz"; got an object with "path", "zzzzzz"; it may have "path", "color", "limit"',
      ],
    ],
    [
      { additionalProperties: false },
      { a: 1 },
      ['must not have the property "a"; got an object with "a"; it may have none'],
    ],
    [{ uniqueItems: true }, ["a", "b", "a"], ["must have items that all differ; got an array of 3 items"]],
    [{ items: { const: 1 } }, [1, 2], ["/1 must be 1; got 2"]],
    [{ not: { type: "string" } }, "x", ['must not match the schema; got "x"']],
    [{ dependentRequired: { a: ["b"] } }, { a: 1 }, ['must have "b" too when it has "a"; got an object with "a"']],
    [{ contains: { type: "string" } }, [1], ["must have at least 1 of its items match; got 0"]],
    [{ contains: {}, maxContains: 1 }, [1, 2], ["must have at most 1 of its items match; got 2"]],
    [{ properties: { "a/b": false } }, { "a/b": 1 }, ["/a~1b must be absent; got 1"]],
    [{ minProperties: 2 }, { a: 1 }, ['must have at least 2 members; got an object with "a"']],
  ])("%j on %j", (schema, value, expected) => expect(issues(schema, value)).toEqual(expected));

  test("all faults are found, each with its keyword and its places", () => {
    const verdict = compile(tool).validate({ path: "", limit: "x", more: 1 });
    expect(verdict).toMatchObject({
      valid: false,
      issues: [
        { instancePath: "/path", path: ["path"], keyword: "minLength", schemaPath: "#/properties/path/minLength" },
        { instancePath: "/limit", keyword: "type", schemaPath: "#/properties/limit/type" },
        { instancePath: "", path: [], keyword: "additionalProperties", schemaPath: "#/additionalProperties" },
      ],
    });
  });

  test("of a choice of forms, the one that was meant is explained", () => {
    const forms = {
      oneOf: [
        {
          type: "object",
          properties: { kind: { const: "circle" }, radius: { type: "number" } },
          required: ["kind", "radius"],
        },
        {
          type: "object",
          properties: { kind: { const: "square" }, side: { type: "number" } },
          required: ["kind", "side"],
        },
        { type: "null" },
      ],
    };
    expect(issues(forms, { kind: "square", side: "3" })).toEqual(['/side must be of type number; got "3"']);
    expect(issues(forms, { kind: "square" })).toEqual(['must have the property "side"; got an object with "kind"']);
    expect(issues(forms, 5)).toEqual([
      "must match one of 3 schemas; got 5: must be of type object; got 5; or must be of type null; got 5",
    ]);
    expect(issues({ oneOf: [{ type: "number" }, { minimum: 2 }] }, 3)).toEqual([
      "must match exactly one schema, not those at 0 and 1; got 3",
    ]);
  });

  test("long values are cut", () => {
    const [message = ""] = issues({ type: "number" }, "x".repeat(100_000));
    expect(message.length).toBeLessThan(120);
  });
});

describe("explaining is bounded as well", () => {
  test("a branch with more faults than are collected does not hide what is wrong", () => {
    const numbers = Array.from({ length: 1_000 }, (_, index) => index);
    const [first] = issues({ anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] }, numbers);
    expect(first).toBe("/0 must be of type string; got 0");
  });

  test("forms within forms make no endless message", () => {
    let schema: unknown = { type: "string" };
    for (let level = 0; level < 8; level++) schema = { anyOf: [schema, { const: level }, { not: { type: "number" } }] };
    expect(issues(schema, 9).join("").length).toBeLessThan(1_000);
  });

  test("looking for what was meant is paid for, so it ends", () => {
    const choices = Array.from({ length: 1_000 }, (_, index) => `${"a".repeat(50)}${index}`);
    const { validate } = compile({ items: { enum: choices } }, { limits: { steps: 100_000 } });
    const verdict = validate(Array.from({ length: 100 }, () => `${"a".repeat(50)}b`));
    expect(verdict.valid ? 0 : verdict.issues.length).toBe(1);
  });
});
