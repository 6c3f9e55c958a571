import type { ToolDefinition } from "@parlance/protocol-versions";
import { expect, test, vi } from "vitest";
import { callTool, listTools } from "./local.js";
import { createToolRegistry } from "./registry.js";
import { remoteTool } from "./remote.js";

const definition = {
  name: "search",
  inputSchema: { anyOf: [{ type: "object" }], "x-unknown": true },
  outputSchema: { type: "object", required: ["hits"] },
  execution: { taskSupport: "optional" },
  _meta: { "com.example/k": [1] },
} as ToolDefinition;

test("SCH-12, META-07: a remote tool is listed exactly as it was defined", () => {
  expect(listTools(createToolRegistry([remoteTool(definition, () => ({ content: [] }))]))).toEqual([definition]);
});

test("a remote tool's arguments and results pass untouched", async () => {
  const result = { content: [], structuredContent: { misses: 1 }, resultNote: "kept" };
  const run = vi.fn(async () => result);
  const registry = createToolRegistry([remoteTool(definition, run)]);
  expect(await callTool(registry, "search", { any: ["thing"] })).toEqual(result);
  expect(run).toHaveBeenCalledWith({ any: ["thing"] }, expect.anything());
});

test("a remote tool that throws is masked like any other", async () => {
  const onError = vi.fn();
  const run = async (): Promise<never> => {
    throw new Error("secret");
  };
  const result = await callTool(createToolRegistry([remoteTool(definition, run)], { onError }), "search");
  expect(result).toMatchObject({ isError: true });
  expect(JSON.stringify(result)).not.toContain("secret");
  expect(onError).toHaveBeenCalledTimes(1);
});
