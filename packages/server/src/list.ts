import type { JsonObject } from "@parlance/jsonrpc";
import { excerpt } from "@parlance/jsonrpc/codec";
import type { CacheHint, Call, Outcome, Pages, Refused } from "@parlance/protocol-versions";

/** How many pages are kept as they were sent, so that their text is. */
const rememberedPages = 32;

/** What a list depends on. */
export interface ListOptions {
  /** The member of the result that holds the list. */
  readonly member: string;
  /** The member of an entry that is its key. */
  readonly key: string;
  readonly cache: CacheHint | undefined;
  readonly pages: Pages | undefined;
}

/** Answers the method of a list. */
export interface List {
  /**
   * @param shown in ordinal order of their keys
   * @param again whether the same definitions may come again
   */
  answer(call: Call, shown: readonly JsonObject[], again?: boolean): Outcome;
  /** Forgets what was sent. */
  invalidate(): void;
}

type Complete = Extract<Outcome, { readonly type: "complete" }>;

/** Makes lists of definitions: the same frozen result for the same page. */
export function createList({ member, key, cache, pages }: ListOptions): List {
  let remembered: { readonly items: readonly JsonObject[]; readonly outcome: Complete }[] = [];

  function outcomeOf(items: readonly JsonObject[], nextCursor: string | undefined, again: boolean): Complete {
    if (!again) return { type: "complete", result: { [member]: items, nextCursor }, cache };
    const known = remembered.find(
      ({ outcome, items: sent }) => outcome.result["nextCursor"] === nextCursor && sameMembers(sent, items),
    );
    if (known !== undefined) return known.outcome;
    const result = Object.freeze({ [member]: Object.freeze([...items]), nextCursor });
    const outcome: Complete = { type: "complete", result, stable: true, cache };
    remembered = [{ items, outcome }, ...remembered].slice(0, rememberedPages);
    return outcome;
  }

  return {
    answer({ params: { cursor } }, shown, again = true) {
      const page =
        pages === undefined
          ? cursor === undefined && { items: shown, nextCursor: undefined }
          : pages.cut(member, shown, (item) => String(item[key]), cursor);
      return page
        ? outcomeOf(page.items, page.nextCursor, again)
        : refuse(`the cursor ${excerpt(cursor)} was never given out`);
    },
    invalidate() {
      remembered = [];
    },
  };
}

function sameMembers(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one === other || (one.length === other.length && one.every((entry, index) => entry === other[index]));
}

/** A request with wrong parameters. */
export function refuse(message: string, data?: unknown): Refused {
  return { type: "refused", reason: "invalid_params", message, data };
}
