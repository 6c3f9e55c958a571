import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { expect, test } from "vitest";
import { packageSources, root, typeScriptBelow } from "./sources.js";

const sourceLines = 300;
const testLines = 500;

test("no source file is longer than 300 lines, and no test longer than 500", () => {
  const own = typeScriptBelow(`${root}/tests`).map((file) => ({
    path: relative(root, file),
    text: readFileSync(file, "utf8"),
  }));
  const long = [...packageSources({ tests: true }), ...own]
    .map(({ path, text }) => ({ path, lines: text.trimEnd().split("\n").length }))
    .filter(({ path, lines }) => lines > (path.endsWith(".test.ts") ? testLines : sourceLines))
    .map(({ path, lines }) => `${path}: ${lines} lines`);
  expect(long).toEqual([]);
});
