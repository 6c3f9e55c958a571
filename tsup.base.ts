import { defineConfig, type Options } from "tsup";

/**
 * The one build of every package: ES modules for Node 20, with declarations. It is not minified, so it needs no source maps.
 * @param declared what has declarations of its own; default: each entry
 */
export function library(entry: readonly string[] = ["src/index.ts"], declared: readonly string[] = entry): Options {
  return defineConfig({
    entry: [...entry],
    format: "esm",
    target: "node20",
    clean: true,
    // tsup sets `baseUrl`, which TypeScript 6 calls an error
    dts: { entry: [...declared], compilerOptions: { ignoreDeprecations: "6.0" } },
  }) as Options;
}
