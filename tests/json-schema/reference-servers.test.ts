import { compile, jsonSchema } from "@parlance/json-schema";
import { expect, test } from "vitest";
import { referenceServers, toolsOf } from "./reference-servers.js";

test.each(referenceServers)(
  "SCH-01: every tool of the reference server %s compiles",
  async (name) => {
    const tools = await toolsOf(name);
    expect(tools.length).toBeGreaterThan(0);
    for (const { inputSchema, outputSchema } of tools) {
      expect(compile(inputSchema).check([])).toBe(false);
      expect(jsonSchema(inputSchema)["~standard"].jsonSchema.input({ target: "draft-2020-12" })).toBe(inputSchema);
      if (outputSchema !== undefined) compile(outputSchema);
    }
  },
  30_000,
);
