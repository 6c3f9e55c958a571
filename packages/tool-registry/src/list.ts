import { excerpt } from "@parlance/jsonrpc/codec";
import type { CacheHint, Call, Outcome, Page, Pages, Refused, ToolDefinition } from "@parlance/protocol-versions";
import { refuse } from "./call.js";
import type { Entry } from "./entry.js";

/** How many lists of different callers, or pages, are kept, so that their text is. */
const rememberedLists = 8;

/** A complete answer to `tools/list`: the same frozen object for the same set of tools. */
export type ListOutcome = Extract<Outcome, { readonly type: "complete" }> & {
  readonly result: { readonly tools: readonly ToolDefinition[]; readonly nextCursor?: string | undefined };
};

/** Answers `tools/list`, from memory as long as the same is shown. */
export type ToolList = (shown: readonly Entry[], call: Call) => ListOutcome | Refused;

/** Remembers what it answered, for as long as the same is shown. */
export function createToolList(pages: Pages | undefined, cache: CacheHint | undefined): ToolList {
  let remembered: readonly { readonly page: Page<Entry>; readonly outcome: ListOutcome }[] = [];

  return (shown, { params: { cursor } }) => {
    const whole = cursor === undefined ? { items: shown } : undefined;
    const page = pages === undefined ? whole : pages.cut("tools", shown, nameOf, cursor);
    if (page === undefined) return refuseCursor(cursor);
    const known = remembered.find((one) => isSame(one.page, page));
    if (known !== undefined) return known.outcome;
    const outcome = listOf(page, cache);
    remembered = [{ page, outcome }, ...remembered].slice(0, rememberedLists);
    return outcome;
  };
}

/** A list of entries, or a page of one. */
export function listOf({ items, nextCursor }: Page<Entry>, cache: CacheHint | undefined): ListOutcome {
  const tools = Object.freeze(items.map(({ definition }) => definition));
  return { type: "complete", result: Object.freeze({ tools, nextCursor }), stable: true, cache };
}

/** The refusal of a cursor that is none of ours. */
export function refuseCursor(cursor: unknown): Refused {
  return refuse(`the cursor ${excerpt(cursor)} was never given out`);
}

function isSame({ items, nextCursor }: Page<Entry>, other: Page<Entry>): boolean {
  if (nextCursor !== other.nextCursor || items.length !== other.items.length) return false;
  return items === other.items || items.every((item, index) => item === other.items[index]);
}

function nameOf({ definition }: Entry): string {
  return definition.name;
}

/** Entries in the order in which they are listed: by their names. */
export function inOrder(entries: Iterable<Entry>): readonly Entry[] {
  return [...entries].sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
}
