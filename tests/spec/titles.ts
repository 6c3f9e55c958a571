import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const title = /\b(?:test|it|describe)(?:\.(?:each|for)\([\s\S]*?\))?\(\s*(["'`])((?:\\.|(?!\1)[\s\S])*)\1/g;
const lineId = /\b(?:[A-Z]+(?:-[A-Z]+)?-\d+)\b/g;

function testFiles(root: string): readonly string[] {
  return ["packages", "tests"].flatMap((top) =>
    readdirSync(join(root, top), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".test.ts") && !path.includes("node_modules"))
      .map((path) => join(top, path)),
  );
}

/** Reads which ids (`JR-01`, `BUG-62`, …) the titles of all tests name, and in which files. */
export function readNamedIds(root: string): ReadonlyMap<string, ReadonlySet<string>> {
  const named = new Map<string, Set<string>>();
  for (const file of testFiles(root)) {
    for (const [, , text = ""] of readFileSync(join(root, file), "utf8").matchAll(title)) {
      for (const [id] of text.matchAll(lineId)) named.set(id, (named.get(id) ?? new Set()).add(file));
    }
  }
  return named;
}
