import {
  type CacheHint,
  type Call,
  isJsonObject,
  type OnError,
  type Pages,
  type Refused,
} from "@parlance/protocol-versions";
import { alone } from "./alone.js";
import { invoke, type OnToolError, type ToolErrorContext, type ToolOutcome } from "./call.js";
import { createEntry, type Entry } from "./entry.js";
import { RegistryError } from "./error.js";
import type { ReadHeaderRules } from "./header-rules.js";
import { kindOf } from "./json.js";
import { createToolList, type ListOutcome } from "./list.js";
import { nameProblem } from "./name.js";
import type { RegistryReport } from "./report.js";
import type { AnyTool } from "./tool.js";

/**
 * How a set of tools behaves.
 * @stable
 */
export interface ToolRegistryOptions {
  /**
   * Which tools a caller may see. One that it may not see is unknown to it, in the list and when called.
   * Decide by `call.principal`: the set must not depend on the connection or on earlier calls. Default: all.
   */
  readonly visible?: ((tool: AnyTool, call: Call) => boolean) | undefined;
  /**
   * Sees to tools whose arguments HTTP repeats in headers: `parameterHeaders`, from `@parlance/transport-http`.
   * Default: a tool that is annotated with `x-mcp-header` is refused.
   */
  readonly headers?: ReadHeaderRules | undefined;
  /** How long and by whom the list may be kept. Default: the era's, which is not at all. */
  readonly cache?: CacheHint | undefined;
  /** How the list is divided: `paged(50)`; all pages have the same `cache`. Default: into one page. */
  readonly pages?: Pages | undefined;
  /** Hears what tools threw and callers were not shown. Default: the `onError` of the server. */
  readonly onError?: OnToolError | undefined;
  /** Hears what the registry noticed, those errors too. */
  readonly report?: ((report: RegistryReport) => void) | undefined;
}

/** Tools by name, and what answers for them. */
export interface ToolSet {
  readonly entries: Map<string, Entry>;
  readonly methods: ToolMethods;
  /** @throws RegistryError `NAME_TAKEN`, `INVALID_TOOL`, `INVALID_SCHEMA` */
  add(tool: AnyTool, owner?: string, enabled?: boolean): void;
  /** Forgets the list. */
  invalidate(): void;
  report(what: RegistryReport): void;
  failed(listener: OnError): () => void;
}

/** What answers the methods of tools. A type, since it must fit any record of features. */
type ToolMethods = {
  readonly "tools/list": (call: Call) => ListOutcome | Refused;
  readonly "tools/call": (call: Call) => ToolOutcome | Promise<ToolOutcome>;
};

export function createToolSet(tools: readonly AnyTool[], options: ToolRegistryOptions): ToolSet {
  const { visible, headers, cache, pages, onError } = options;
  const entries = new Map<string, Entry>();
  const failureListeners = new Set<OnError>();
  const shown = createToolList({ entries, visible, cache, pages, report });

  function report(what: RegistryReport): void {
    // there is nobody to tell
    alone(() => options.report?.(what), ignore);
  }

  function add(tool: AnyTool, owner?: string, enabled = true): void {
    const entry = createEntry(tool, { owner, enabled, headers });
    const { name } = tool;
    const holder = entries.get(name);
    if (holder !== undefined) throw taken(name, holder.owner);
    entries.set(name, entry);
    const problem = nameProblem(name);
    if (problem !== undefined) report({ kind: "unusual_tool_name", tool: name, problem });
  }

  function fail(error: unknown, context: ToolErrorContext): void {
    report({ kind: "tool_failed", ...context, error });
    // a log that fails must not change the answer
    if (onError !== undefined) alone(() => onError(error, context), ignore);
    else
      for (const listener of failureListeners)
        alone(() => listener(error, { method: "tools/call", ...context }), ignore);
  }

  if (!Array.isArray(tools)) throw new RegistryError("INVALID_TOOL", "tools come as a list: [tool]", { tool: "" });
  for (const tool of tools) add(tool);
  if (visible !== undefined && cache?.scope === "public") report({ kind: "shared_filtered_list" });

  return {
    entries,
    methods: {
      "tools/list": (call) =>
        shown.for(call) ?? refuse(`the cursor ${kindOf(call.params["cursor"])} was never given out`),
      "tools/call": (call) => {
        const { name, arguments: args = {} } = call.params;
        if (typeof name !== "string") return refuse(`"name" must be a string, not ${kindOf(name)}`);
        if (!isJsonObject(args)) return refuse(`"arguments" must be an object, not ${kindOf(args)}`);
        const entry = entries.get(name);
        if (entry === undefined || !entry.enabled || (visible !== undefined && !visible(entry.tool, call))) {
          return refuse(`Unknown tool ${kindOf(name)}`);
        }
        return invoke(entry, args, call, fail);
      },
    },
    add,
    invalidate: shown.invalidate,
    report,
    failed: (listener) => {
      failureListeners.add(listener);
      return () => void failureListeners.delete(listener);
    },
  };
}

function taken(name: string, holder: string | undefined): RegistryError {
  const whose = holder === undefined ? "" : ` by "${holder}"`;
  const message = `The tool name "${name}" is taken${whose}; remove that tool or use another name`;
  return new RegistryError("NAME_TAKEN", message, { tool: name });
}

function refuse(message: string): Refused {
  return { type: "refused", reason: "invalid_params", message };
}

function ignore(): void {}
