import { compile, LimitError } from "@parlance/json-schema";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, test } from "vitest";

// Few names, numbers and strings, so that schemas and instances meet often.
const name = fc.constantFrom("a", "b", "ab", "c");
const string = fc.constantFrom("", "a", "b", "ab", "💩", "aé", "a-b");
// not beyond 1e21, where ajv takes 1e300 for no multiple of 1
const number = fc.constantFrom(-1, 0, -0, 1, 1.5, 2, 3, 4, 1e15);
const count = fc.integer({ min: 0, max: 3 });
const type = fc.constantFrom("null", "boolean", "number", "integer", "string", "array", "object");

const instance = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constant(null),
    fc.boolean(),
    number,
    string,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(name, tie("value"), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

function schemas(dialect: "2020-12" | "draft-07"): fc.Arbitrary<unknown> {
  return fc.letrec((tie) => {
    const schema = tie("schema");
    const list = fc.array(schema, { minLength: 1, maxLength: 3 });
    const map = fc.dictionary(name, schema, { maxKeys: 3, noNullPrototype: true });
    const names = fc.uniqueArray(name, { maxLength: 2 });
    const shared = {
      type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
      enum: fc.uniqueArray(instance, {
        minLength: 1,
        maxLength: 3,
        comparator: (a, b) => canonical(a) === canonical(b),
      }),
      const: instance,
      minimum: number,
      exclusiveMaximum: number,
      multipleOf: fc.constantFrom(1, 2, 0.5),
      minLength: count,
      maxLength: count,
      pattern: fc.constantFrom("^a", "b$", "^[a-z]+$", "-"),
      minItems: count,
      maxItems: count,
      uniqueItems: fc.boolean(),
      contains: schema,
      minProperties: count,
      maxProperties: count,
      required: names,
      properties: map,
      patternProperties: fc.dictionary(fc.constantFrom("^a", "b$"), schema, { maxKeys: 2, noNullPrototype: true }),
      additionalProperties: schema,
      propertyNames: schema,
      allOf: list,
      anyOf: list,
      oneOf: list,
      not: schema,
      if: schema,
      // biome-ignore lint/suspicious/noThenProperty: the name of the keyword
      then: schema,
      else: schema,
      $ref: fc.constantFrom("#", "#/definitions/one"),
    };
    const own =
      dialect === "2020-12"
        ? {
            prefixItems: list,
            items: schema,
            minContains: count,
            maxContains: count,
            dependentRequired: fc.dictionary(name, names, { maxKeys: 2, noNullPrototype: true }),
            dependentSchemas: map,
            unevaluatedItems: schema,
            unevaluatedProperties: schema,
          }
        : {
            items: fc.oneof(schema, list),
            additionalItems: schema,
            dependencies: fc.dictionary(name, fc.oneof(schema, names), { maxKeys: 2, noNullPrototype: true }),
          };
    return {
      schema: fc.oneof({ depthSize: "small" }, fc.boolean(), tie("one"), someOf({ ...shared, ...own }, dialect)),
      one: fc.record({ type, minimum: number, maxLength: count }, { requiredKeys: [] }),
      root: fc
        .tuple(schema, tie("one"))
        .map(([root, one]) => (typeof root === "object" && root !== null ? { ...root, definitions: { one } } : root)),
    };
  }).root;
}

/**
 * Up to four keywords, or hardly any instance would be valid. Two faults of ajv are kept out: in draft-07 it looks at what
 * stands beside `$ref`, and in both it takes `[]` for valid by `contains` beside a list of items that starts with `false`.
 */
function someOf(keywords: Record<string, fc.Arbitrary<unknown>>, dialect: string): fc.Arbitrary<unknown> {
  return fc.subarray(Object.keys(keywords), { minLength: 1, maxLength: 4 }).chain((names) => {
    const kept = known(names, dialect);
    return fc.record(Object.fromEntries(kept.map((each) => [each, keywords[each] ?? fc.constant(true)])));
  });
}

function known(names: readonly string[], dialect: string): readonly string[] {
  if (dialect === "draft-07" && names.includes("$ref")) return ["$ref"];
  const list = dialect === "draft-07" ? "items" : "prefixItems";
  return names.includes(list) ? names.filter((each) => each !== "contains") : names;
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort())
      : member,
  );
}

/** A verdict, or none: a reference that leads to itself on one value overflows ajv's stack, and exceeds our bound. */
function verdictOf(check: (value: unknown) => boolean, value: unknown): boolean | undefined {
  try {
    return check(value);
  } catch (error) {
    if (error instanceof RangeError || (error instanceof LimitError && error.option === "depth")) return undefined;
    throw error;
  }
}

const dialects = [
  ["2020-12", Ajv2020],
  ["draft-07", Ajv],
] as const;

test.each(dialects)(
  "SCH-04: %s gives the same verdicts as ajv, and validate the same as check",
  (dialect, Other) => {
    fc.assert(
      fc.property(schemas(dialect), fc.array(instance, { minLength: 4, maxLength: 8 }), (schema, values) => {
        const ours = compile(schema, { dialect });
        const theirs = new Other({ strict: false, logger: false }).compile(schema as object);
        for (const value of values) {
          const verdict = verdictOf(ours.check, value);
          const other = verdictOf((each) => theirs(each) === true, value);
          if (verdict === undefined || other === undefined) continue;
          expect(verdict, JSON.stringify(value)).toBe(other);
          expect(ours.validate(value).valid, JSON.stringify(value)).toBe(verdict);
        }
      }),
      // the same each time, unless asked for more: a fault of ajv that is new to us should not stop somebody else
      process.env["DIFFERENTIAL_RUNS"]
        ? { numRuns: Number(process.env["DIFFERENTIAL_RUNS"]) }
        : { numRuns: 300, seed: 202012 },
    );
  },
  300_000,
);
