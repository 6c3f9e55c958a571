import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";
import { beforeAll, expect, test } from "vitest";
import { root } from "./sources.js";

/** An export, as it was written where it was first exported. */
interface Exported {
  readonly symbol: ts.Symbol;
  /** `file: name`, of the file it was found in. */
  readonly place: string;
  /** Of `stable` and `experimental`, those that it is marked with. */
  readonly promises: readonly string[];
  readonly isDocumented: boolean;
}

let program: ts.Program;
let checker: ts.TypeChecker;

/** What the packages let others import, as source files. */
const entries = readdirSync(join(root, "packages")).flatMap((name) => {
  const { exports } = JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8"));
  return Object.values<string | { readonly source: string }>(exports)
    .filter((entry) => typeof entry === "object")
    .map(({ source }) => join(root, "packages", name, source));
});

beforeAll(() => {
  program = ts.createProgram(entries, {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    customConditions: ["source"],
    types: ["node"],
    noEmit: true,
    skipLibCheck: true,
  });
  checker = program.getTypeChecker();
}, 60_000);

function exportsOf(file: string): readonly Exported[] {
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  if (module === undefined) return [];
  return checker.getExportsOfModule(module).map((found) => {
    const symbol = found.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(found) : found;
    const tags = symbol.getJsDocTags(checker).map(({ name }) => name);
    return {
      symbol,
      place: `${relative(root, file)}: ${found.name}`,
      promises: ["stable", "experimental"].filter((promise) => tags.includes(promise)),
      isDocumented: symbol.getDocumentationComment(checker).length > 0,
    };
  });
}

test("every export says what it is for, and whether it is stable or experimental", () => {
  const empty = entries.filter((file) => exportsOf(file).length === 0);
  expect(empty).toEqual([]);
  const exported = entries.flatMap(exportsOf);
  expect(exported.filter(({ promises }) => promises.length !== 1).map(({ place }) => place)).toEqual([]);
  expect(exported.filter(({ isDocumented }) => !isDocumented).map(({ place }) => place)).toEqual([]);
});

test("what a package keeps to itself promises nothing", () => {
  const exported = new Set(entries.flatMap(exportsOf).map(({ symbol }) => symbol));
  const files = program.getSourceFiles().map(({ fileName }) => fileName);
  const promised = files
    .filter((file) => /\/packages\/[^/]+\/src\//.test(file) && !file.includes("/node_modules/"))
    .flatMap(exportsOf)
    .filter(({ symbol, promises }) => promises.length > 0 && !exported.has(symbol));
  expect(promised.map(({ place }) => place)).toEqual([]);
});
