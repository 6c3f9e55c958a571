import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { root } from "./sources.js";

/** What the packages let others import, as source files. */
function entryFiles(): readonly string[] {
  return readdirSync(join(root, "packages")).flatMap((name) => {
    const { exports } = JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8"));
    return Object.values<string | { readonly source: string }>(exports)
      .filter((entry) => typeof entry === "object")
      .map(({ source }) => join(root, "packages", name, source));
  });
}

test("every export says what it is for, and whether it is stable or experimental", () => {
  const entries = entryFiles();
  const program = ts.createProgram([...entries], {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    customConditions: ["source"],
    types: ["node"],
    noEmit: true,
    skipLibCheck: true,
  });
  const checker = program.getTypeChecker();
  const wrong: string[] = [];
  let exported = 0;
  for (const file of entries) {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    if (module === undefined) throw new Error(`${file} is not a module`);
    for (const symbol of checker.getExportsOfModule(module)) {
      exported++;
      const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      const tags = target.getJsDocTags(checker).map(({ name }) => name);
      const place = `${relative(root, file)}: ${symbol.name}`;
      if (tags.includes("stable") === tags.includes("experimental"))
        wrong.push(`${place} needs @stable or @experimental`);
      if (target.getDocumentationComment(checker).length === 0) wrong.push(`${place} has no doc comment`);
    }
  }
  expect(exported).toBeGreaterThan(0);
  expect(wrong).toEqual([]);
}, 60_000);
