// Each package as a stranger meets it: its tarball alone in an empty folder, with only what it declares,
// imported by Node and type-checked by the oldest and the newest TypeScript we promise.
import { copyFileSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { pack, run, temporaryFolder } from "./tarballs.mjs";

const compilers = ["typescript-oldest", "typescript"].map((name) => resolve("node_modules", name, "lib/tsc.js"));
/** Entries that are for Node only; their types may name Node's, and a Node program has those. */
const forNode = /^@parlance\/transport-stdio$|\/node$/;
const nodeTypes = "20.19.43";
const modules = { nodenext: "nodenext", bundler: "esnext" };

const tarballs = pack();
let failed = 0;
for (const name of tarballs.keys()) {
  try {
    tryAlone(name);
    console.log(`ok ${name}`);
  } catch (error) {
    failed++;
    console.error(`${name}: ${error.message}`);
  }
}
console.log(`${tarballs.size} packages, ${failed} failed`);
if (failed > 0) process.exitCode = 1;

function tryAlone(name) {
  const folder = temporaryFolder("packed");
  const dependencies = {};
  for (const needed of closure(name)) {
    const { file } = tarballs.get(needed);
    copyFileSync(file, join(folder, basename(file)));
    dependencies[needed] = `file:${basename(file)}`;
  }
  if (entries(name).some((entry) => forNode.test(entry))) dependencies["@types/node"] = nodeTypes;
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module", private: true, dependencies }));
  run("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline"], folder);

  const anywhere = entries(name).filter((entry) => !forNode.test(entry));
  const node = entries(name).filter((entry) => forNode.test(entry));
  tryProgram(folder, anywhere, []);
  tryProgram(folder, node, ["node"]);
}

function tryProgram(folder, entries, types) {
  if (entries.length === 0) return;
  const imports = entries.map((entry, index) => `import * as entry${index} from "${entry}";`);
  const named = entries.map((_, index) => `entry${index}`).join(", ");
  const check = `for (const entry of [${named}]) if (Object.keys(entry).length === 0) throw new Error("empty");`;
  for (const file of ["program.ts", "program.js"])
    writeFileSync(join(folder, file), [...imports, check, ""].join("\n"));
  run(process.execPath, ["program.js"], folder);
  for (const compiler of compilers) {
    for (const [moduleResolution, module] of Object.entries(modules)) {
      const options = { module, moduleResolution, target: "es2022", lib: ["es2023", "dom"], types };
      const compilerOptions = { ...options, strict: true, noEmit: true, skipLibCheck: false };
      writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.ts"] }));
      run(process.execPath, [compiler], folder);
    }
  }
}

/** The package and every package of ours that it needs, directly or not. */
function closure(name, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  const { dependencies = {}, peerDependencies = {} } = tarballs.get(name).manifest;
  for (const dependency of Object.keys({ ...dependencies, ...peerDependencies })) {
    if (tarballs.has(dependency)) closure(dependency, found);
  }
  return found;
}

function entries(name) {
  return Object.keys(tarballs.get(name).manifest.exports)
    .filter((subpath) => !subpath.endsWith(".json"))
    .map((subpath) => name + subpath.slice(1));
}
