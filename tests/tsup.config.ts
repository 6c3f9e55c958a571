import { defineConfig } from "tsup";

/** The black-box programs run on the built packages, as a user's program would. */
export default defineConfig({
  entry: ["black-box/server.ts", "black-box/client.ts"],
  outDir: "black-box/dist",
  format: "esm",
  target: "node20",
  clean: true,
  skipNodeModulesBundle: true,
});
