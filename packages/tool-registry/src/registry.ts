import { alone } from "@parlance/jsonrpc/respond";
import {
  announcing,
  type Call,
  type Change,
  type FeatureSet,
  type OnError,
  type Refused,
} from "@parlance/protocol-versions";
import { createToolCalls, type ToolOutcome } from "./call.js";
import { createEntry, type Entry, ownEntry } from "./entry.js";
import { comparing, refuseAnnotated } from "./header-rules.js";
import { createToolList, inOrder, type ListOutcome } from "./list.js";
import { nameProblem, taken } from "./name.js";
import type { ToolRegistryOptions } from "./options.js";
import type { RegistryReport } from "./report.js";
import type { AnyTool } from "./tool.js";

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
   * @throws LocalError `INVALID_ARGUMENT` when its name is taken, or a schema cannot be listed
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

/** A tool as a registry holds it. */
interface Held {
  readonly entry: Entry;
  readonly owner: string | undefined;
  enabled: boolean;
}

/**
 * Makes a registry, optionally with tools in it.
 * @throws LocalError `INVALID_ARGUMENT` when a name is taken, or a schema cannot be listed
 * @see MCP 2026-07-28, server/tools
 * @stable
 */
export function createToolRegistry(tools: readonly AnyTool[] = [], options: ToolRegistryOptions = {}): ToolRegistry {
  const { visible, headers, cache, pages, onError } = options;
  const all = new Map<unknown, Held>();
  const listeners = new Set<(change: Change) => void>();
  const list = createToolList(pages, cache);
  const calls = createToolCalls((name, call) => {
    const held = all.get(name);
    return held?.enabled && (visible === undefined || visible(held.entry.tool, call)) ? held.entry : undefined;
  });
  let sorted: readonly Entry[] | undefined;
  let isAnnouncing = false;

  function report(what: RegistryReport): void {
    // there is nobody to tell
    alone(() => options.report?.(what));
  }

  calls.failed((error, context) => {
    const { tool = "", correlationId } = context;
    report({ kind: "tool_failed", tool, correlationId, error });
    // a log that fails must not change the answer
    alone(() => onError?.(error, { tool, correlationId }));
  });

  function add(tool: AnyTool, owner?: string | undefined, enabled = true): void {
    const { name } = tool;
    const holder = all.get(name);
    if (holder !== undefined) throw taken(name, holder.owner);
    const entry = createEntry(tool);
    if (headers === undefined) refuseAnnotated(entry.definition);
    const compared = headers === undefined ? entry : comparing(entry, headers, tool[ownEntry] !== undefined);
    all.set(name, { entry: compared, owner, enabled });
    const problem = nameProblem(name);
    if (problem !== undefined) report({ kind: "unusual_tool_name", tool: name, problem });
    if (enabled) touch();
  }

  function discard({ entry, enabled }: Held): void {
    all.delete(entry.tool.name);
    if (enabled) touch();
  }

  function turn(name: string, enabled: boolean): boolean {
    const held = all.get(name);
    if (held === undefined || held.enabled === enabled) return false;
    held.enabled = enabled;
    touch();
    return true;
  }

  function touch(): void {
    sorted = undefined;
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

  for (const tool of tools) add(tool);
  if (visible !== undefined && cache?.scope === "public") report({ kind: "shared_filtered_list" });

  return {
    ...announcing,
    capabilities: { tools: {} },
    promises: { tools: { listChanged: true } },
    methods: {
      "tools/list": (call) => {
        sorted ??= inOrder([...all.values()].flatMap(({ entry, enabled }) => (enabled ? entry : [])));
        return list(visible === undefined ? sorted : sorted.filter(({ tool }) => visible(tool, call)), call);
      },
      "tools/call": calls.answer,
    },
    add: (tool, { owner, enabled } = {}) => add(tool, owner, enabled),
    remove(name) {
      const held = all.get(name);
      if (held !== undefined) discard(held);
      return held !== undefined;
    },
    removeOwner(owner) {
      const owned = [...all.values()].filter((held) => held.owner === owner);
      for (const held of owned) discard(held);
      return owned.map(({ entry }) => entry.tool.name);
    },
    enable: (name) => turn(name, true),
    disable: (name) => turn(name, false),
    get: (name) => all.get(name)?.entry.tool,
    changed(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    failed: (listener) => (onError === undefined ? calls.failed(listener) : ignore),
  };
}

function ignore(): void {}
