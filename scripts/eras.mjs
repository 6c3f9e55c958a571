// An era can be deleted: its folders, and what `index.ts` and the files that name both eras say of it. Each era in turn is taken out of a
// copy of the work tree, and the packages that know eras are checked, built and tested without it.
// Tests of those lists, and tests and fixtures that import the era, go too; any other source that does is the failure this gate is for.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import ts from "typescript";
import { run, temporaryFolder } from "./tarballs.mjs";

const eras = ["stateless", "handshake"];
const lists = [
  "index.ts",
  "client-eras.ts",
  "server-eras.ts",
  "questions.ts",
  "logging.ts",
  "announcing.ts",
  "listening.ts",
  "listens.ts",
];
const packages = ["jsonrpc", "protocol-versions", "transport-http", "server", "client"];

for (const era of eras) {
  const copy = copyOfWorkTree();
  const names = removeEra(copy, era);
  const left = removeTests(copy, era, names);
  const filters = packages.map((name) => `--filter=@parlance/${name}`);
  run("pnpm", ["turbo", "run", "build", "typecheck", "--continue", "--output-logs=errors-only", ...filters], copy);
  const folders = packages.map((name) => `packages/${name}/`);
  run("pnpm", ["exec", "vitest", "run", "--reporter=dot", ...folders], copy);
  console.log(`without ${era}: ${names.size} names gone, ${left} test files passed`);
}

function copyOfWorkTree() {
  const copy = join(temporaryFolder("eras"), "repo");
  const listed = run("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], process.cwd());
  for (const file of listed.split("\0")) if (existsSync(file) && file !== "") cpSync(file, join(copy, file));
  run("git", ["init", "--quiet"], copy);
  run("pnpm", ["install", "--frozen-lockfile", "--prefer-offline"], copy, { CI: "true" });
  return copy;
}

/** Deletes the folders and every mention in the lists; returns the names that are gone with them. */
function removeEra(copy, era) {
  const folders = packages.map((name) => join(copy, "packages", name, "src"));
  for (const folder of folders) rmSync(join(folder, era), { recursive: true, force: true });
  const files = folders.flatMap((folder) => lists.map((list) => join(folder, list))).filter((file) => existsSync(file));
  const gone = new Set();
  for (const file of files) edit(file, (source) => declarationsFrom(source, `./${era}/`, gone));
  for (const file of files) edit(file, (source) => mentionsOf(source, gone));
  if (gone.size === 0) throw new Error(`no list names anything of ${era}`);
  return gone;
}

function declarationsFrom(source, prefix, gone) {
  const from = source.statements.filter((statement) => statement.moduleSpecifier?.text.startsWith(prefix));
  for (const { exportClause, importClause } of from) {
    const named = exportClause ?? importClause?.namedBindings;
    for (const { name } of named?.elements ?? []) gone.add(name.text);
  }
  return from;
}

/** Specifiers, list elements and members that are, or call, one of the names. */
function mentionsOf(source, gone) {
  const found = [];
  const member = (node) => (ts.isPropertyAssignment(node) ? node.initializer : node.type?.exprName);
  const visit = (node) => {
    if (ts.isShorthandPropertyAssignment(node) && gone.has(node.name.text)) {
      found.push(node);
      return;
    }
    if ((ts.isPropertyAssignment(node) || ts.isPropertySignature(node)) && gone.has(member(node)?.text)) {
      found.push(node);
      return;
    }
    const specifier = ts.isExportSpecifier(node) || ts.isImportSpecifier(node);
    const element = ts.isArrayLiteralExpression(node.parent ?? node) && node.parent !== undefined;
    const named = specifier ? (node.propertyName ?? node.name) : ts.isCallExpression(node) ? node.expression : node;
    if ((specifier || element) && ts.isIdentifier(named) && gone.has(named.text)) {
      if (specifier) gone.add(node.name.text);
      found.push(node);
    } else ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function edit(file, select) {
  let text = readFileSync(file, "utf8");
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
  for (const node of select(source).toReversed()) {
    const end = node.getEnd() + (/^\s*,/.exec(text.slice(node.getEnd()))?.[0].length ?? 0);
    text = text.slice(0, node.getStart()) + text.slice(end);
  }
  writeFileSync(file, text);
}

/** Removes the tests of the lists and those that import the era, themselves or by a fixture; returns how many of these packages' test files are left. */
function removeTests(copy, era, names) {
  const mention = new RegExp(`^import [^;]*(/${era}/|\\b(${[...names].join("|")})\\b)`, "m");
  let left = 0;
  for (const name of packages) {
    const folder = join(copy, "packages", name, "src");
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
    const goes = (file, pattern) => pattern.test(readFileSync(join(folder, file), "utf8"));
    const fixtures = files.filter((file) => file.endsWith(".fixture.ts") && goes(file, mention));
    const imports = new RegExp(`/(${fixtures.map((file) => basename(file, ".ts")).join("|") || "(?!)"})\\.js"`);
    for (const file of files) {
      if (!file.endsWith(".test.ts")) continue;
      const ofList = lists.some((list) => file === list.replace(".ts", ".test.ts"));
      if (ofList || goes(file, mention) || goes(file, imports)) rmSync(join(folder, file));
      else left++;
    }
    for (const file of fixtures) rmSync(join(folder, file));
  }
  if (left === 0) throw new Error(`no test is left without ${era}`);
  return left;
}
