import {
  announcing,
  type Call,
  type Change,
  type FeatureSet,
  type OnError,
  type Refused,
} from "@parlance/protocol-versions";
import { alone } from "./alone.js";
import type { ToolOutcome } from "./call.js";
import type { Entry } from "./entry.js";
import type { ListOutcome } from "./list.js";
import type { AnyTool } from "./tool.js";
import { createToolSet, type ToolRegistryOptions } from "./tool-set.js";

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
  const { entries, methods, add, invalidate, report, failed } = createToolSet(tools, options);
  const listeners = new Set<(change: Change) => void>();
  let isAnnouncing = false;

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
    invalidate();
    if (isAnnouncing || listeners.size === 0) return;
    isAnnouncing = true;
    queueMicrotask(() => {
      isAnnouncing = false;
      for (const listener of listeners) tell(listener);
    });
  }

  function tell(listener: (change: Change) => void): void {
    alone(
      () => listener({ type: "tools" }),
      (error) => report({ kind: "listener_failed", error }),
    );
  }

  return {
    ...announcing,
    capabilities: { tools: {} },
    promises: { tools: { listChanged: true } },
    methods,
    add(tool, { owner, enabled = true } = {}) {
      add(tool, owner, enabled);
      if (enabled) touch();
    },
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
    failed,
  };
}
