import { defineConfig, type Options } from "tsup";

/** One file with all that it imports: a worker finds no packages. */
const options: Options = {
  entry: ["main.ts"],
  format: "esm",
  target: "es2022",
  platform: "neutral",
  noExternal: [/./],
  clean: true,
  silent: true,
};
export default defineConfig(options);
