import { type CompileOptions, compile } from "@parlance/json-schema";
import { customDialects, metaSchemas } from "@parlance/json-schema/meta-schemas";
import { describe, expect, test } from "vitest";
import { isPresent, remotes, suiteFiles } from "./suite.js";

test.each(["https://json-schema.org/draft/2020-12/schema", "http://json-schema.org/draft-07/schema#"])(
  "SCH-04: the meta-schema %s can be handed in, and tells schemas from others",
  (uri) => {
    const { check } = compile({ $ref: uri }, { documents: metaSchemas });
    expect(check({ $schema: uri, properties: { a: { type: ["string", "null"], minLength: 1 } } })).toBe(true);
    expect(check({ properties: { a: { type: "objekt" } } })).toBe(false);
    expect(check({ allOf: [{ minLength: -1 }] })).toBe(false);
    expect(check(true)).toBe(true);
    expect(check([])).toBe(false);
  },
);

if (!isPresent) {
  process.stdout.write("json-schema-test-suite: no data\n");
} else {
  const documents = { ...metaSchemas, ...remotes() };
  const dialects = [
    { folder: "draft2020-12", dialect: "2020-12" },
    { folder: "draft7", dialect: "draft-07" },
  ] as const;
  for (const { folder, dialect } of dialects) {
    const options: CompileOptions = { dialect, documents, customDialects };
    describe(`SCH-04: the official suite, required tests of ${dialect}`, () => {
      for (const file of suiteFiles(folder).filter(({ name }) => !name.startsWith("optional/"))) {
        describe(file.name, () => {
          for (const group of file.groups) {
            test(group.description, () => {
              const validator = compile(group.schema, options);
              for (const { description, data, valid } of group.tests) {
                expect(validator.check(data), description).toBe(valid);
                const verdict = validator.validate(data);
                expect(verdict.valid, description).toBe(valid);
                if (!verdict.valid) expect(verdict.issues[0]?.keyword, description).not.toBe("schema");
              }
            });
          }
        });
      }
    });
  }
}
