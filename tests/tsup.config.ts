import { defineConfig, type Options } from "tsup";

/** Programs that run on the built packages, as a user's program would. */
function programs(entry: readonly string[], outDir: string): Options {
  return { entry: [...entry], outDir, format: "esm", target: "node20", clean: true, skipNodeModulesBundle: true };
}

export default defineConfig([
  programs(["black-box/server.ts", "black-box/client.ts"], "black-box/dist"),
  programs(["conformance/server.ts", "conformance/client.ts"], "conformance/dist"),
  programs(["interop/main.ts", "interop/server.ts"], "interop/dist"),
  programs(["fuzz/main.ts"], "fuzz/dist"),
]);
