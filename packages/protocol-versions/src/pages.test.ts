import fc from "fast-check";
import { expect, test } from "vitest";
import { paged } from "./pages.js";

const keyOf = (item: string): string => item;
const names = ["a", "b", "c", "d", "e"];

function walk(size: number, items: readonly string[]): readonly (readonly string[])[] {
  const pages: (readonly string[])[] = [];
  let cursor: string | undefined;
  do {
    const page = paged(size).cut("tools", items, keyOf, cursor);
    if (page === undefined) throw new Error(`cursor ${cursor} was refused`);
    pages.push(page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return pages;
}

test("a list comes whole, in order, in pages of the size, whatever its keys are", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string({ unit: "binary" })), fc.integer({ min: 1, max: 9 }), (keys, size) => {
      const items = keys.toSorted((one, other) => (one < other ? -1 : 1));
      const pages = walk(size, items);
      expect(pages.flat()).toEqual(items);
      expect(pages.slice(0, -1).every((page) => page.length === size)).toBe(true);
    }),
  );
});

test("a list that fits a page has no further one", () => {
  expect(walk(5, names)).toEqual([names]);
  expect(walk(5, [])).toEqual([[]]);
});

test("PAG-09: a cursor of one instance holds on another", () => {
  const first = paged(2).cut("tools", names, keyOf, undefined);
  expect(paged(2).cut("tools", [...names], keyOf, first?.nextCursor)?.items).toEqual(["c", "d"]);
});

test("PAG-08: a cursor goes on after its entry when the list changes, also when that entry is gone", () => {
  const pages = paged(2);
  const cursor = pages.cut("tools", names, keyOf, undefined)?.nextCursor;
  expect(pages.cut("tools", ["a", "aa", "bb", "c", "d"], keyOf, cursor)?.items).toEqual(["bb", "c"]);
  expect(pages.cut("tools", ["a"], keyOf, cursor)).toEqual({ items: [], nextCursor: undefined });
});

test.each(["zzz", "", "bogus", "0", 7, null, {}, [], btoa("[1,2]"), btoa('[0,"b"]'), "💥"])(
  "PAG-08, PAG-09, BUG-119: the cursor %j was never given out",
  (cursor) => {
    expect(paged(2).cut("tools", names, keyOf, cursor)).toBeUndefined();
  },
);

test("PAG-08: a cursor of another list was not given out for this one", () => {
  const cursor = paged(2).cut("prompts", names, keyOf, undefined)?.nextCursor;
  expect(paged(2).cut("tools", names, keyOf, cursor)).toBeUndefined();
});

test.each([0, -1, 1.5, Number.NaN])("a page of %d entries is refused", (size) => {
  expect(() => paged(size)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
});
