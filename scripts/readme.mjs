// The code in every README is run. A `ts` block is a program: it is type-checked against the built packages,
// then run with stdin closed, and has to end with 0. If its first line is `// name.ts`, that is its file name, so
// that another block can start it. What programs import is on an install line of their README. A `text` block right after it is what it prints. Two marks tell otherwise:
// `ts check` is only type-checked (it needs something that is not there), `ts fragment` is not a program.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { run } from "./tarballs.mjs";

const work = "tests/.readme"; // where `@parlance/*` resolves
const limitMs = 30_000;

run("pnpm", ["build"], process.cwd());
rmSync(work, { recursive: true, force: true });
process.once("exit", () => rmSync(work, { recursive: true, force: true }));

const count = { run: 0, checked: 0, fragments: 0, failed: 0 };
for (const readme of readmes()) {
  const text = readFileSync(readme, "utf8");
  const found = programs(text);
  attempt(readme, () => checkInstall(text, found));
  tryPrograms(readme, found);
}
console.log(
  Object.entries(count)
    .map(([what, number]) => `${number} ${what}`)
    .join(", "),
);
if (count.failed > 0 || count.run === 0) process.exitCode = 1;

function readmes() {
  return run("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"], process.cwd())
    .split("\n")
    .filter((file) => /^(README|docs\/.*|(packages|examples)\/[^/]+\/README)(\.md)$/.test(file));
}

function programs(text) {
  const found = [];
  const fence = /^```(\S+)([^\n]*)\n([\s\S]*?)^```\s*$/gm;
  let end = 0;
  for (const { 0: whole, 1: language, 2: mark, 3: code, index } of text.matchAll(fence)) {
    const last = found.at(-1);
    if (language === "text" && last?.end === end && text.slice(end, index).trim() === "") last.prints = code;
    end = index + whole.length;
    if (language !== "ts") continue;
    const line = text.slice(0, index).split("\n").length;
    const name = /^\/\/ (\S+)\.ts\n/.exec(code)?.[1] ?? `line-${line}`;
    found.push({ name, line, mark: mark.trim(), code, end, prints: undefined });
  }
  return found;
}

function checkInstall(text, found) {
  const installed = [...text.matchAll(/^npm install (.*)$/gm)].flatMap(([, names]) => names.split(" "));
  const imports = found
    .filter(({ mark }) => mark !== "fragment")
    .flatMap(({ code }) => [...code.matchAll(/ from "(@[^/"]+\/[^/"]+|[^.@][^/":]*)["/]/g)].map(([, name]) => name));
  const missing = [...new Set(imports)].filter((name) => !installed.includes(name));
  if (missing.length > 0) throw new Error(`no "npm install" line names ${missing.join(", ")}, which it imports`);
}

function tryPrograms(readme, found) {
  const folder = join(work, readme.replaceAll(/[^\w-]/g, "-"));
  const real = found.filter(({ mark }) => mark !== "fragment");
  count.fragments += found.length - real.length;
  if (real.length === 0) return;
  mkdirSync(folder, { recursive: true });
  for (const { name, code } of real) {
    writeFileSync(join(folder, `${name}.ts`), `${code}\nexport {};\n`);
    writeFileSync(join(folder, `${name}.js`), compile(code));
  }
  attempt(readme, () => check(folder));
  for (const { name, line, mark, prints } of real) {
    if (mark === "check") {
      count.checked++;
      continue;
    }
    count.run++;
    attempt(`${readme}:${line}`, () => {
      const printed = run("timeout", [`${limitMs / 1000}`, process.execPath, `${name}.js`], folder);
      if (prints === undefined || printed.trim() === prints.trim()) return;
      throw new Error(`it printed\n${printed}\nand not\n${prints}`);
    });
  }
}

function attempt(place, work) {
  try {
    work();
  } catch (error) {
    count.failed++;
    console.error(`${place}: ${error.message}`);
  }
}

function check(folder) {
  const compilerOptions = { customConditions: [], types: ["node"], isolatedDeclarations: false, declaration: false };
  const config = { extends: "../../../tsconfig.base.json", compilerOptions, include: ["*.ts"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  run("pnpm", ["exec", "tsc", "--project", folder], process.cwd());
}

function compile(code) {
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
  return ts.transpileModule(code, { compilerOptions }).outputText;
}
