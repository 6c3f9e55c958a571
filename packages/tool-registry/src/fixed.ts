import type { FeatureSet } from "@parlance/protocol-versions";
import type { AnyTool } from "./tool.js";
import { createToolSet, type ToolRegistryOptions } from "./tool-set.js";

/**
 * Tools that stay the same: a feature set for a server, which weighs less than a registry and promises no changes.
 * @throws RegistryError `NAME_TAKEN`, `INVALID_TOOL`, `INVALID_SCHEMA`
 * @see MCP 2026-07-28, server/tools
 * @stable
 */
export function tools(list: readonly AnyTool[], options: ToolRegistryOptions = {}): FeatureSet {
  const { methods, failed } = createToolSet(list, options);
  return { capabilities: { tools: {} }, methods, failed };
}
