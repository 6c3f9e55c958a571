import {
  type CacheHint,
  type Call,
  type Change,
  type FeatureSet,
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
 * How a registry behaves.
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

/**
 * How a tool is added.
 * @stable
 */
export interface AddOptions {
  /** Whose tool it is, for `removeOwner`. */
  readonly owner?: string | undefined;
  /** `false`: it is unknown until `enable`. Default `true`. */
  readonly enabled?: boolean | undefined;
}

/**
 * Tools by name: a feature set for a server. `listTools` and `callTool` ask it without one.
 * @stable
 */
export interface ToolRegistry extends FeatureSet {
  readonly methods: {
    readonly "tools/list": (call: Call) => ListOutcome | Refused;
    readonly "tools/call": (call: Call) => ToolOutcome | Promise<ToolOutcome>;
  };
  /**
   * Adds a tool. A name that is taken, enabled or not, is refused: whoever has it keeps it. Names are case-sensitive.
   * @throws RegistryError `NAME_TAKEN`, `INVALID_TOOL`, `INVALID_SCHEMA`
   */
  add(tool: AnyTool, options?: AddOptions): void;
  /** @returns whether there was such a tool */
  remove(name: string): boolean;
  /** Removes all tools of an owner at once. @returns their names */
  removeOwner(owner: string): readonly string[];
  /** @returns whether that changed anything */
  enable(name: string): boolean;
  /** Makes a tool unknown until `enable`; its name stays taken. @returns whether that changed anything */
  disable(name: string): boolean;
  /** The tool of that name, enabled or not, visible or not. */
  get(name: string): AnyTool | undefined;
  /** Hears that the list changed, once for all changes of a turn. @returns what ends it */
  changed(listener: (change: Change) => void): () => void;
  /** Hears what tools threw and callers were not shown, unless the registry has an `onError`. @returns what ends it */
  failed(listener: OnError): () => void;
}

/**
 * Makes a registry, optionally with tools in it.
 * @throws RegistryError `NAME_TAKEN`, `INVALID_TOOL`, `INVALID_SCHEMA`
 * @see MCP 2026-07-28, server/tools
 * @stable
 */
export function createToolRegistry(tools: readonly AnyTool[] = [], options: ToolRegistryOptions = {}): ToolRegistry {
  const { visible, headers, cache, pages, onError } = options;
  const entries = new Map<string, Entry>();
  const listeners = new Set<(change: Change) => void>();
  const failureListeners = new Set<OnError>();
  const shown = createToolList({ entries, visible, cache, pages, report });
  let announcing = false;

  function report(what: RegistryReport): void {
    // there is nobody to tell
    alone(() => options.report?.(what), ignore);
  }

  function add(tool: AnyTool, { owner, enabled = true }: AddOptions = {}): void {
    const entry = createEntry(tool, { owner, enabled, headers });
    const { name } = tool;
    const holder = entries.get(name);
    if (holder !== undefined) throw taken(name, holder.owner);
    entries.set(name, entry);
    const problem = nameProblem(name);
    if (problem !== undefined) report({ kind: "unusual_tool_name", tool: name, problem });
    if (enabled) touch();
  }

  function discard(entry: Entry): void {
    entries.delete(entry.tool.name);
    if (entry.enabled) touch();
  }

  function turn(name: string, enabled: boolean): boolean {
    const entry = entries.get(name);
    if (entry === undefined || entry.enabled === enabled) return false;
    entry.enabled = enabled;
    touch();
    return true;
  }

  function touch(): void {
    shown.invalidate();
    if (announcing || listeners.size === 0) return;
    announcing = true;
    queueMicrotask(() => {
      announcing = false;
      for (const listener of listeners) tell(listener);
    });
  }

  function tell(listener: (change: Change) => void): void {
    alone(
      () => listener({ type: "tools" }),
      (error) => report({ kind: "listener_failed", error }),
    );
  }

  function failed(error: unknown, context: ToolErrorContext): void {
    report({ kind: "tool_failed", ...context, error });
    // a log that fails must not change the answer
    if (onError !== undefined) alone(() => onError(error, context), ignore);
    else
      for (const listener of failureListeners)
        alone(() => listener(error, { method: "tools/call", ...context }), ignore);
  }

  function list(call: Call): ListOutcome | Refused {
    return shown.for(call) ?? refuse(`The cursor ${kindOf(call.params["cursor"])} was never given out`);
  }

  function callTool(call: Call): ToolOutcome | Promise<ToolOutcome> {
    const { name, arguments: args = {} } = call.params;
    if (typeof name !== "string") return refuse(`"name" must be a string, not ${kindOf(name)}`);
    if (!isJsonObject(args)) return refuse(`"arguments" must be an object, not ${kindOf(args)}`);
    const entry = entries.get(name);
    if (entry === undefined || !entry.enabled || (visible !== undefined && !visible(entry.tool, call))) {
      return refuse(`Unknown tool ${kindOf(name)}`);
    }
    return invoke(entry, args, call, failed);
  }

  if (!Array.isArray(tools)) {
    throw new RegistryError("INVALID_TOOL", "createToolRegistry takes a list of tools: [tool]", { tool: "" });
  }
  for (const tool of tools) add(tool);
  if (visible !== undefined && cache?.scope === "public") report({ kind: "shared_filtered_list" });

  return {
    capabilities: { tools: { listChanged: true } },
    methods: { "tools/list": list, "tools/call": callTool },
    add,
    remove(name) {
      const entry = entries.get(name);
      if (entry !== undefined) discard(entry);
      return entry !== undefined;
    },
    removeOwner(owner) {
      const owned = [...entries.values()].filter((entry) => entry.owner === owner);
      for (const entry of owned) discard(entry);
      return owned.map((entry) => entry.tool.name);
    },
    enable: (name) => turn(name, true),
    disable: (name) => turn(name, false),
    get: (name) => entries.get(name)?.tool,
    changed(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    failed(listener) {
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
