import type { CacheHint, FeatureSet } from "@parlance/protocol-versions";
import { createToolCalls } from "./call.js";
import { createEntry, type Entry } from "./entry.js";
import { refuseAnnotated } from "./header-rules.js";
import { inOrder, listOf, refuseCursor } from "./list.js";
import { nameProblem, taken } from "./name.js";
import type { RegistryReport } from "./report.js";
import type { AnyTool } from "./tool.js";

/**
 * How tools that stay the same are shown.
 * @stable
 */
export interface ToolsOptions {
  /** How long and by whom the list may be kept. Default: the era's, which is not at all. */
  readonly cache?: CacheHint | undefined;
  /** Hears of names that some clients will not take, while the set is made. */
  readonly report?: ((report: RegistryReport) => void) | undefined;
}

/**
 * Tools that stay the same: a feature set for a server, which weighs less than a registry and promises no changes. All of
 * them are there for everybody.
 * @throws LocalError `INVALID_ARGUMENT` when two have one name, or a schema cannot be listed
 * @see MCP 2026-07-28, server/tools
 * @stable
 */
export function tools(list: readonly AnyTool[], { cache, report }: ToolsOptions = {}): FeatureSet {
  const entries = new Map<unknown, Entry>();
  for (const tool of list) {
    const { name } = tool;
    if (entries.has(name)) throw taken(name);
    const entry = createEntry(tool);
    refuseAnnotated(entry.definition);
    entries.set(name, entry);
    const problem = nameProblem(name);
    if (problem !== undefined) report?.({ kind: "unusual_tool_name", tool: name, problem });
  }
  const all = listOf({ items: inOrder(entries.values()) }, cache);
  const { answer, failed } = createToolCalls((name) => entries.get(name));
  return {
    capabilities: { tools: {} },
    methods: {
      "tools/list": ({ params: { cursor } }) => (cursor === undefined ? all : refuseCursor(cursor)),
      "tools/call": answer,
    },
    failed,
  };
}
