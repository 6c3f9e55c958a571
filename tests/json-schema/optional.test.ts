import { readFileSync, writeFileSync } from "node:fs";
import { compile } from "@parlance/json-schema";
import { formats } from "@parlance/json-schema/formats";
import { customDialects, metaSchemas } from "@parlance/json-schema/meta-schemas";
import { expect, test } from "vitest";
import { type Group, isPresent, remotes, suiteFiles } from "./suite.js";

const page = new URL("../../packages/json-schema/docs/optional-tests.md", import.meta.url);

/** Why some tests of a file do not pass. */
const reasons: Readonly<Record<string, string>> = {
  "cross-draft": "needs draft 2019-09, which is not supported and said so",
  content: "`contentEncoding` and `contentMediaType` are annotations here, as 2020-12 has them",
  "format/hostname": "what is inside an `xn--` label is not decoded (RFC 5892)",
  "format/duration": "not among the formats that come with it; stays an annotation",
  "format/idn-email": "not among the formats that come with it; stays an annotation",
  "format/idn-hostname": "not among the formats that come with it; stays an annotation",
  "format/iri": "not among the formats that come with it; stays an annotation",
  "format/iri-reference": "not among the formats that come with it; stays an annotation",
  "format/relative-json-pointer": "not among the formats that come with it; stays an annotation",
  "format/uri-template": "not among the formats that come with it; stays an annotation",
};

const introduction = `# Optional tests of the JSON-Schema-Test-Suite

All required tests of 2020-12 and draft-07 pass. The optional ones are listed here with the reason where some do not; \`format\` tests run with \`formats\` handed in. A test compares this page with what happens: \`UPDATE=1 pnpm vitest run tests/json-schema/optional.test.ts\` writes it anew.

| dialect | file | passed | not | why |
|---|---|---|---|---|
`;

function passed(group: Group, options: Parameters<typeof compile>[1]): number {
  return group.tests.filter(({ data, valid }) => {
    try {
      return compile(group.schema, options).check(data) === valid;
    } catch {
      return false;
    }
  }).length;
}

function rows(
  folder: "draft2020-12" | "draft7",
  dialect: "2020-12" | "draft-07",
  documents: Record<string, unknown>,
): string[] {
  return suiteFiles(folder).flatMap(({ name, groups }) => {
    const file = name.replace("optional/", "");
    if (file === name) return [];
    const options = { dialect, documents, customDialects, ...(file.startsWith("format") ? { formats } : {}) };
    const all = groups.reduce((sum, group) => sum + group.tests.length, 0);
    const right = groups.reduce((sum, group) => sum + passed(group, options), 0);
    return [
      `| ${dialect} | ${file} | ${right} | ${all - right} | ${all === right ? "" : (reasons[file] ?? "not known")} |`,
    ];
  });
}

test("each reason is on the page", () => {
  const text = readFileSync(page, "utf8");
  for (const [file, reason] of Object.entries(reasons)) {
    expect(text).toMatch(new RegExp(`\\| ${file} \\|.*`));
    expect(text).toContain(reason);
  }
});

if (isPresent) {
  test("the optional tests of the official suite pass, or the page says why not", () => {
    const documents = { ...metaSchemas, ...remotes() };
    const lines = [...rows("draft2020-12", "2020-12", documents), ...rows("draft7", "draft-07", documents)];
    const text = `${introduction}${lines.join("\n")}\n`;
    if (process.env["UPDATE"] === "1") writeFileSync(page, text);
    expect(text).not.toContain("not known");
    expect(readFileSync(page, "utf8")).toBe(text);
  });
} else {
  process.stdout.write("json-schema-test-suite, optional tests: no data\n");
}
