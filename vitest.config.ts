import { defineConfig } from "vitest/config";

// One run for the whole repository. The `source` condition reads siblings' `src`, so nothing is built first.
export default defineConfig({
  ssr: { resolve: { conditions: ["source"] } },
  test: {
    include: ["packages/*/src/**/*.test.ts", "tests/**/*.test.ts"],
    coverage: { provider: "v8", include: ["packages/*/src/**/*.ts"], exclude: ["**/*.test.ts"] },
  },
});
