import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";

/** The root of the repository. */
export const root: string = resolve(import.meta.dirname, "../..");

export interface Source {
  /** Path from the root, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** Every TypeScript file below `packages/<name>/src`, in a stable order; tests and their fixtures on request. */
export function packageSources(options: { readonly tests: boolean }): readonly Source[] {
  return readdirSync(join(root, "packages"))
    .flatMap((name) => typeScriptBelow(join(root, "packages", name, "src")))
    .filter((file) => options.tests || !/\.(test|fixture)\.ts$/.test(file))
    .map((file) => ({ path: relative(root, file).replaceAll("\\", "/"), text: readFileSync(file, "utf8") }));
}

export function typeScriptBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.includes("node_modules"))
    .sort()
    .map((file) => join(folder, file));
}
