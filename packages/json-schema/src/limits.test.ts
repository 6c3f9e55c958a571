import { describe, expect, test } from "vitest";
import { compile } from "./compile.js";
import { defaults } from "./defaults/index.js";
import { LimitError } from "./errors.js";

function boundOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof LimitError) return error.option;
    throw error;
  }
  return "no error";
}

/** 2 to the power of 40 ways, in 41 subschemas. */
function nest(keyword: string, leaf: unknown): unknown {
  const $defs: Record<string, unknown> = { d40: leaf };
  for (let level = 0; level < 40; level++) {
    const next = { $ref: `#/$defs/d${level + 1}` };
    $defs[`d${level}`] = { [keyword]: [next, next] };
  }
  return { $ref: "#/$defs/d0", $defs };
}

function deep(levels: number): unknown {
  let value: unknown = {};
  for (let level = 0; level < levels; level++) value = { child: value };
  return value;
}

describe("SCH-10: a hostile schema ends within its budget, with its error", () => {
  test.each(["anyOf", "allOf", "oneOf"])("an exponential nest of %s", (keyword) => {
    const validator = compile(nest(keyword, { type: "string" }));
    expect(boundOf(() => validator.check(keyword === "anyOf" ? 1 : "x"))).toBe("steps");
    expect(boundOf(() => validator.validate(keyword === "anyOf" ? 1 : "x"))).toBe("steps");
  });

  test("numbers that are far from what they are to be multiples of", () => {
    const validator = compile({ items: { multipleOf: 1e-300 } });
    const numbers = Array.from({ length: 100_000 }, (_, index) => (index + 1) * 1.1e300);
    expect(boundOf(() => validator.check(numbers))).toBe("steps");
    expect(compile({ items: { multipleOf: 0.01 } }).check(numbers.map((_, index) => index / 100))).toBe(true);
  });

  test("a recursive $ref on a deep instance", () => {
    const validator = compile({ properties: { child: { $ref: "#" } } });
    expect(validator.check(deep(300))).toBe(true);
    expect(boundOf(() => validator.check(deep(100_000)))).toBe("depth");
    expect(boundOf(() => validator.validate(deep(100_000)))).toBe("depth");
  });

  test("a recursive $dynamicRef on a deep instance", () => {
    const { check } = compile({ $dynamicAnchor: "n", properties: { child: { $dynamicRef: "#n" } } });
    expect(boundOf(() => check(deep(100_000)))).toBe("depth");
  });

  test("many long patterns", () => {
    const properties = Array.from({ length: 500 }, (_, at) => [
      `p${at}`,
      { pattern: `a{${at}}${"(?:ab?c|d)".repeat(190)}` },
    ]);
    expect(boundOf(() => compile({ properties: Object.fromEntries(properties) }))).toBe("schemaSize");
  });

  test.each([
    [{ $ref: "#" }],
    [{ allOf: [{ $ref: "#" }] }],
    [{ $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } }],
  ])("a reference that leads to itself: %j", (schema) => expect(boundOf(() => compile(schema).check(1))).toBe("depth"));

  test.each([{ uniqueItems: true }, { items: { const: [1] } }, { items: { enum: [{ a: 1 }] } }])(
    "a deep instance where values are compared: %j",
    (schema) => expect(boundOf(() => compile(schema).check([deep(100_000), 1]))).toBe("depth"),
  );

  test("uniqueItems on 100,000 items is linear", () => {
    const { check, validate } = compile({ uniqueItems: true });
    const items = Array.from({ length: 100_000 }, (_, index) => ({ index }));
    expect(check(items)).toBe(true);
    expect(validate([...items, { index: 7 }])).toMatchObject({ valid: false, issues: [{ keyword: "uniqueItems" }] });
  });

  test("a huge enum is a set", () => {
    const choices = Array.from({ length: 50_000 }, (_, index) => `choice ${index}`);
    const validator = compile({ items: { enum: choices } }, { limits: { schemaSize: 2_000_000 } });
    expect(validator.check(choices)).toBe(true);
    expect(validator.validate(["choice"])).toMatchObject({ valid: false });
    expect(boundOf(() => compile({ enum: Array.from({ length: 1_000_000 }, () => 0) }))).toBe("schemaSize");
  });

  test("a deep schema, and one that holds itself", () => {
    let nested: unknown = {};
    for (let level = 0; level < 100_000; level++) nested = { not: nested };
    expect(boundOf(() => compile(nested))).toBe("depth");
    const cycle: Record<string, unknown> = {};
    cycle["not"] = cycle;
    expect(boundOf(() => compile(cycle))).toBe("depth");
  });

  test("too many subschemas, and too large a schema by sharing", () => {
    expect(boundOf(() => compile({ anyOf: Array.from({ length: 6_000 }, () => ({})) }))).toBe("subschemas");
    let shared: unknown = { type: "string" };
    for (let level = 0; level < 30; level++) shared = { anyOf: [shared, shared] };
    expect(boundOf(() => compile(shared))).toBe("schemaSize");
  });

  test("a long chain of references compiles without nesting", () => {
    const $defs: Record<string, unknown> = { d4000: true };
    for (let index = 0; index < 4_000; index++) $defs[`d${index}`] = { $ref: `#/$defs/d${index + 1}` };
    expect(boundOf(() => compile({ $ref: "#/$defs/d0", $defs }).check(1))).toBe("depth");
  });

  test("a recursion of defaults", () => {
    const validator = compile({ properties: { a: { $ref: "#", default: {} } } }, { defaults });
    expect(boundOf(() => validator.validate({}))).toBe("depth");
  });

  test("issues stop at their bound", () => {
    const validator = compile({ items: { required: ["a", "b"] } }, { limits: { issues: 3 } });
    const verdict = validator.validate(Array.from({ length: 100_000 }, () => ({})));
    expect(verdict.valid ? 0 : verdict.issues.length).toBe(3);
  });
});

describe("bounds", () => {
  test("each is an option, and its error names it", () => {
    const { check } = compile({ items: {} }, { limits: { steps: 10 } });
    expect(check([1, 2, 3])).toBe(true);
    try {
      check(Array.from({ length: 11 }));
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ name: "LimitError", code: "LIMIT_EXCEEDED", option: "steps" });
      expect(String(error)).toContain("exceeds limits.steps, which is 10");
    }
  });

  test("an undefined one is the default", () => {
    expect(compile({ type: "string" }, { limits: { steps: undefined } }).check("x")).toBe(true);
  });

  test("a budget is for one validation", () => {
    const { check } = compile({ items: {} }, { limits: { steps: 10 } });
    for (let round = 0; round < 20; round++) expect(check([1, 2, 3])).toBe(true);
  });
});
