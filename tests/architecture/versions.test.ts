import { expect, test } from "vitest";
import { packageSources } from "./sources.js";

const eraFolder = /\/src\/(stateless|handshake)\//;
const knowledge = [
  { what: "a date-shaped version", pattern: /["'`]\d{4}-\d{2}-\d{2}["'`]/ },
  { what: "initialize", pattern: /["'`]initialize["'`]/ },
  { what: "server/discover", pattern: /["'`]server\/discover["'`]/ },
];

test("what a revision says is written in era folders and version.ts only", () => {
  const sources = packageSources({ tests: false });
  expect(sources.length).toBeGreaterThan(0);
  const outside = sources.filter(({ path }) => !eraFolder.test(path) && !path.endsWith("/version.ts"));
  const found = outside.flatMap(({ path, text }) =>
    withoutComments(text)
      .split("\n")
      .flatMap((line, index) =>
        knowledge.filter(({ pattern }) => pattern.test(line)).map(({ what }) => `${path}:${index + 1}: ${what}`),
      ),
  );
  expect(found).toEqual([]);
});

/** Comments may name a revision: a reader wants to know it. Their lines stay, so that numbers do. */
function withoutComments(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, " "))
    .replace(/(^|\s)\/\/.*$/gm, "$1");
}
