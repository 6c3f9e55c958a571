import { LocalError } from "@parlance/jsonrpc";

/**
 * A part of a list.
 * @stable
 */
export interface Page<T> {
  readonly items: readonly T[];
  /** Absent: this is the last page. */
  readonly nextCursor?: string | undefined;
}

/**
 * How lists are divided.
 * @stable
 */
export interface Pages {
  /**
   * The page that a cursor names; `undefined` when the cursor was never given out for this list.
   * `items` are in ordinal order of their keys, and no two have the same.
   */
  cut<T>(list: string, items: readonly T[], keyOf: (item: T) => string, cursor: unknown): Page<T> | undefined;
}

/**
 * Divides lists into pages of at most `size`. A cursor says after which entry to go on: it needs no memory, holds on
 * every instance of a server and for every caller's own view, and outlives the entry that it names.
 * @throws LocalError `INVALID_ARGUMENT` when `size` is no whole number above 0
 * @see MCP 2026-07-28, server/utilities/pagination
 * @stable
 */
export function paged(size: number): Pages {
  if (!Number.isSafeInteger(size) || size < 1) {
    throw new LocalError("INVALID_ARGUMENT", `a page has ${size} entries, and should have a whole number above 0`);
  }
  return {
    cut(list, items, keyOf, cursor) {
      const after = cursor === undefined ? undefined : readCursor(list, cursor);
      if (after === undefined && cursor !== undefined) return undefined;
      const start = after === undefined ? 0 : firstAfter(after, items, keyOf);
      const page = items.slice(start, start + size);
      const last = page.at(-1);
      const isLast = last === undefined || start + size >= items.length;
      return { items: page, nextCursor: isLast ? undefined : writeCursor(list, keyOf(last)) };
    },
  };
}

/** Which is the first whose key comes after another key. */
function firstAfter<T>(key: string, items: readonly T[], keyOf: (item: T) => string): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item !== undefined && keyOf(item) <= key) low = middle + 1;
    else high = middle;
  }
  return low;
}

function writeCursor(list: string, key: string): string {
  return btoa(JSON.stringify([checksum(list, key), key]).replace(/[^ -~]/g, escaped));
}

/** As JSON may write it too, in ASCII. */
function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function readCursor(list: string, cursor: unknown): string | undefined {
  try {
    const [sum, key]: unknown[] = JSON.parse(atob(String(cursor)));
    return typeof key === "string" && writeCursor(list, key) === cursor && sum === checksum(list, key)
      ? key
      : undefined;
  } catch {
    return undefined;
  }
}

/** FNV-1a. It tells what is no cursor of this list; a made-up one would open nothing that its caller may not see anyway. */
function checksum(list: string, key: string): number {
  let sum = 0x811c9dc5;
  for (const character of `${list}\n${key}`) sum = Math.imul(sum ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return sum >>> 0;
}
