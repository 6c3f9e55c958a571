import { existsSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { root } from "./sources.js";

/** `src/index.ts`, and `src/node.ts` or `src/node/index.ts` where a package has that subpath. */
function entryFiles(): readonly string[] {
  return readdirSync(join(root, "packages"))
    .flatMap((name) =>
      ["index.ts", "node.ts", "node/index.ts"].map((file) => join(root, "packages", name, "src", file)),
    )
    .filter((file) => existsSync(file));
}

test("every export says whether it is stable or experimental, and not both", () => {
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
  const untagged: string[] = [];
  let exported = 0;
  for (const file of entries) {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    if (module === undefined) throw new Error(`${file} is not a module`);
    for (const symbol of checker.getExportsOfModule(module)) {
      exported++;
      const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      const tags = target.getJsDocTags(checker).map(({ name }) => name);
      if (tags.includes("stable") === tags.includes("experimental")) {
        untagged.push(`${relative(root, file)}: ${symbol.name}`);
      }
    }
  }
  expect(exported).toBeGreaterThan(0);
  expect(untagged).toEqual([]);
}, 60_000);
