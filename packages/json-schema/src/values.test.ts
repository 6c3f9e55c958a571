import { describe, expect, test } from "vitest";
import { compile } from "./compile.js";
import { defaults } from "./defaults/index.js";

describe("names of prototypes are ordinary", () => {
  const schema: unknown = JSON.parse(
    '{"properties":{"__proto__":{"type":"string"},"constructor":{"type":"number"}},"required":["toString"],"additionalProperties":{"type":"null"}}',
  );
  const { check } = compile(schema);

  test("inherited members are not there", () => {
    expect(check({})).toBe(false);
    expect(check(Object.create({ toString: null }))).toBe(false);
  });

  test("own members with such names are", () => {
    expect(check(JSON.parse('{"toString":null}'))).toBe(true);
    expect(check(JSON.parse('{"toString":null,"__proto__":"x","constructor":1}'))).toBe(true);
    expect(check(JSON.parse('{"toString":null,"__proto__":1}'))).toBe(false);
    expect(check(JSON.parse('{"toString":null,"hasOwnProperty":1}'))).toBe(false);
  });

  test("a default named __proto__ becomes a member and pollutes nothing", () => {
    const filled = compile(JSON.parse('{"properties":{"__proto__":{"default":{"polluted":true}}}}'), {
      defaults,
    });
    const verdict = filled.validate({});
    expect(verdict.valid && JSON.stringify(verdict.value)).toBe('{"__proto__":{"polluted":true}}');
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
    expect(verdict.valid && Object.getPrototypeOf(verdict.value)).toBe(Object.prototype);
  });
});

describe("numbers", () => {
  test.each([
    [{ type: "integer" }, 1.0, true],
    [{ type: "integer" }, 1e300, true],
    [{ type: "integer" }, 1.5, false],
    [{ const: 0 }, -0, true],
    [{ enum: [-0] }, 0, true],
    [{ uniqueItems: true }, [0, -0], false],
    [{ uniqueItems: true }, [[0], [-0]], false],
    [{ uniqueItems: true }, [1, true, "1", [1], ["1"], null, "null"], true],
    [{ multipleOf: 0.01 }, 19.99, true],
    [{ multipleOf: 0.0001 }, 0.0075, true],
    [{ multipleOf: 1e-8 }, 12391239123, true],
    [{ multipleOf: 0.3 }, 1e308, false],
    [{ multipleOf: 0.1 }, -0.3, true],
    [{ multipleOf: 3e-5 }, 1e5, false],
    [{ multipleOf: 3e200 }, 1e-5, false],
    [{ multipleOf: 5e-324 }, 1.5e300, true],
    [{ maximum: 2 ** 53 }, 2 ** 53 + 2, false],
    [{ type: "number" }, Number.NaN, false],
    [{ type: "number" }, Number.POSITIVE_INFINITY, false],
  ])("%j on %j is %j", (schema, value, valid) => expect(compile(schema).check(value)).toBe(valid));
});

describe("strings are counted in code points", () => {
  test.each([
    [{ maxLength: 2 }, "💩💩", true],
    [{ maxLength: 1 }, "💩💩", false],
    [{ minLength: 2 }, "💩", false],
    [{ minLength: 2, maxLength: 2 }, "\ud83d\ud83d", true],
    [{ minLength: 2, maxLength: 2 }, "\udca9\ud83d", true],
    [{ maxLength: 3 }, "a\ud83d\udca9\ud83d", true],
    [{ pattern: "^.$" }, "💩", true],
    [{ pattern: "^\\p{L}+$" }, "été", true],
    [{ const: "\ud83d" }, "\ud83d", true],
    [{ const: ["\ud83d"] }, ["\\ud83d"], false],
  ])("%j on %j is %j", (schema, value, valid) => expect(compile(schema).check(value)).toBe(valid));
});

test("a member that is undefined is absent, as it is in JSON", () => {
  const { check } = compile({
    properties: { a: { type: "string" } },
    required: ["b"],
    additionalProperties: false,
    maxProperties: 1,
  });
  expect(check({ a: undefined, b: undefined })).toBe(false);
  expect(
    compile({ properties: { a: { type: "string" } }, additionalProperties: false }).check({
      a: undefined,
      c: undefined,
    }),
  ).toBe(true);
});

test("SCH-14: a format is only a note and a default fills nothing, unless asked for", () => {
  const schema = { properties: { at: { format: "date", default: "2024-01-01" } } };
  expect(compile(schema).validate({ at: "tomorrow" })).toEqual({ valid: true, value: { at: "tomorrow" } });
  const value = {};
  const verdict = compile(schema).validate(value);
  expect(verdict.valid && verdict.value).toBe(value);
  expect(value).toEqual({});
  const asserting = compile(schema, { formats: { date: (text) => text.startsWith("2") } });
  expect(asserting.check({ at: "tomorrow" })).toBe(false);
  expect(asserting.check({ at: "2024-01-01" })).toBe(true);
});

test.each([
  [{ items: { unevaluatedItems: { type: "null" } } }, [[{}]], false],
  [{ properties: { a: { unevaluatedProperties: false } } }, { a: { b: 1 } }, false],
  [{ properties: { a: { type: "object", unevaluatedProperties: { type: "null" } } } }, { a: { b: null } }, true],
])("what a subschema says only of what is left over counts: %j on %j is %j", (schema, value, valid) =>
  expect(compile(schema).check(value)).toBe(valid),
);
