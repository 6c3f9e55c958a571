// The official suite as a program. It imports a function that Node has from 22 on, for a command that is not used here:
// on earlier versions that one name is added to what it imports.
import { createRequire, register } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

const hooks = `
export async function resolve(specifier, context, next) {
  const ours = context.parentURL?.includes("/@modelcontextprotocol/conformance/dist/");
  return ours && /^(node:)?fs$/.test(specifier) ? { url: "added:fs", shortCircuit: true } : next(specifier, context);
}
export async function load(url, context, next) {
  if (url !== "added:fs") return next(url, context);
  const source = "import fs from 'node:fs'; export * from 'node:fs'; export default fs; export const globSync = undefined;";
  return { format: "module", shortCircuit: true, source };
}`;

const [major] = process.versions.node.split(".");
if (Number(major) < 22) register(`data:text/javascript,${encodeURIComponent(hooks)}`, import.meta.url);
const manifest = createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/package.json");
const entry = join(dirname(manifest), "dist", "index.js");
process.argv[1] = entry;
await import(pathToFileURL(entry).href);
