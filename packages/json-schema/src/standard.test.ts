import { expect, test } from "vitest";
import { defaults } from "./defaults/index.js";
import { formats } from "./formats/index.js";
import { jsonSchema } from "./standard.js";

const schema = {
  type: "object",
  properties: { limit: { type: "integer", default: 200 }, at: { type: "string", format: "date" } },
  additionalProperties: false,
  "x-note": { $anchor: "kept" },
} as const;

test("SCH-12: the schema is given back as it was received, the very same object, whatever is asked for", () => {
  const { input, output } = jsonSchema(schema)["~standard"].jsonSchema;
  expect(input({ target: "draft-2020-12" })).toBe(schema);
  expect(output({ target: "draft-07" })).toBe(schema);
});

test("a value passes as it is, or with its defaults when they are asked for", () => {
  const value = { at: "tomorrow" };
  expect(jsonSchema(schema)["~standard"].validate(value)).toMatchObject({ value });
  expect(jsonSchema(schema, { defaults })["~standard"].validate(value)).toMatchObject({
    value: { at: "tomorrow", limit: 200 },
  });
});

test("what is wrong has a message and a path", () => {
  const { validate } = jsonSchema(schema, { formats })["~standard"];
  expect(validate({ limit: "x", at: "2024-02-30" }).issues).toMatchObject([
    { message: 'must be of type integer; got "x"', path: ["limit"] },
    { message: 'must be in the format "date"; got "2024-02-30"', path: ["at"] },
  ]);
});

test("SCH-10: a value that exceeds a bound fails with an issue that says so, and does not pass", () => {
  const { validate } = jsonSchema({ items: {} }, { limits: { steps: 2 } })["~standard"];
  expect(validate([1, 2, 3]).issues).toMatchObject([
    { message: expect.stringContaining("exceeds limits.steps, which is 2"), path: [] },
  ]);
});

test("SCH-06: an invalid schema is refused when it is given", () => {
  expect(() => jsonSchema({ type: "objekt" })).toThrow('did you mean "object"?');
});
