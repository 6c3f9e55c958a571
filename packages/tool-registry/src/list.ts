import type { JsonObject } from "@parlance/jsonrpc";
import type { CacheHint, Call, Outcome, Page, Pages, ToolDefinition } from "@parlance/protocol-versions";
import type { Entry } from "./entry.js";
import type { RegistryReport } from "./report.js";
import { type Schema, toInputSchema, toJsonSchema } from "./schema.js";
import type { AnyTool } from "./tool.js";

/** How many lists of different callers, or pages, are kept, so that their text is. */
const rememberedLists = 8;

/** A complete answer to `tools/list`: the same frozen object for the same set of tools. */
export type ListOutcome = Extract<Outcome, { readonly type: "complete" }> & {
  readonly result: { readonly tools: readonly ToolDefinition[]; readonly nextCursor?: string | undefined };
};

/** Answers `tools/list`, from memory as long as nothing changes. */
export interface ToolList {
  /** `undefined`: the call's cursor was never given out. */
  for(call: Call): ListOutcome | undefined;
  /** Forgets what it knows. */
  invalidate(): void;
}

/** What a list depends on. */
export interface ListOptions {
  readonly entries: ReadonlyMap<string, Entry>;
  readonly visible?: ((tool: AnyTool, call: Call) => boolean) | undefined;
  readonly cache?: CacheHint | undefined;
  readonly pages?: Pages | undefined;
  readonly report: (report: RegistryReport) => void;
}

/** Makes a list of the tools that are enabled, in ordinal order. */
export function createToolList({ entries, visible, cache, pages, report }: ListOptions): ToolList {
  let sorted: readonly Entry[] | undefined;
  let remembered: { readonly page: Page<Entry>; readonly outcome: ListOutcome }[] = [];

  function outcomeOf(page: Page<Entry>): ListOutcome {
    const known = remembered.find((one) => isSame(one.page, page));
    if (known !== undefined) return known.outcome;
    const { items, nextCursor } = page;
    const tools = Object.freeze(items.map((entry) => define(entry, report)));
    const outcome: ListOutcome = {
      type: "complete",
      result: Object.freeze({ tools, nextCursor }),
      stable: true,
      cache,
    };
    remembered = [{ page, outcome }, ...remembered].slice(0, rememberedLists);
    return outcome;
  }

  return {
    for(call) {
      sorted ??= [...entries.values()].filter((entry) => entry.enabled).sort(byName);
      const items = visible === undefined ? sorted : sorted.filter((entry) => visible(entry.tool, call));
      const { cursor } = call.params;
      const whole = cursor === undefined ? { items } : undefined;
      const page = pages === undefined ? whole : pages.cut("tools", items, nameOf, cursor);
      return page && outcomeOf(page);
    },
    invalidate() {
      sorted = undefined;
      remembered = [];
    },
  };
}

function isSame({ items, nextCursor }: Page<Entry>, other: Page<Entry>): boolean {
  if (nextCursor !== other.nextCursor || items.length !== other.items.length) return false;
  return items === other.items || items.every((entry, index) => entry === other.items[index]);
}

function nameOf({ tool }: Entry): string {
  return tool.name;
}

function byName(one: Entry, other: Entry): number {
  return nameOf(one) < nameOf(other) ? -1 : 1;
}

function define(entry: Entry, report: (report: RegistryReport) => void): ToolDefinition {
  entry.definition ??= entry.remote ?? Object.freeze(definitionOf(entry.tool, report));
  return entry.definition;
}

function definitionOf(tool: AnyTool, report: (report: RegistryReport) => void): ToolDefinition {
  const { name, title, description, annotations, icons, meta, input, output } = tool;
  return {
    name,
    title,
    description,
    inputSchema: input === undefined ? noParameters : toInputSchema(name, input),
    outputSchema: output && outputSchemaOf(name, output, report),
    annotations,
    icons,
    _meta: meta,
  };
}

const noParameters: JsonObject = /* @__PURE__ */ Object.freeze({ type: "object", additionalProperties: false });

function outputSchemaOf(
  tool: string,
  schema: Schema,
  report: (report: RegistryReport) => void,
): JsonObject | undefined {
  try {
    return toJsonSchema("output", schema);
  } catch (error) {
    report({ kind: "unlisted_schema", tool, face: "output", error });
    return undefined;
  }
}
