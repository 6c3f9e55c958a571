import { below, type Check, type Node, type Path } from "../check.js";
import { report } from "../issue.js";
import { isArray } from "../json.js";
import type { Keyword } from "../keyword.js";
import { type Run, spend } from "../limits.js";
import { locationOf } from "../resource.js";
import type { Site } from "../site.js";
import { plural } from "../wording.js";

/** The first items by their place, and what holds for the rest: `prefixItems` and `items`, or those of draft-07. */
function itemsOf({ schema, node, nodes }: Site): readonly [prefix: readonly Node[], rest: Node | undefined] {
  const tuple = isArray(schema["items"]) ? "items" : "prefixItems";
  const rest = node(tuple === "items" ? "additionalItems" : "items");
  return [nodes(tuple).map(([, item]) => item), rest];
}

/** Holds each item from an index on to its check; a missing one lets it pass. */
function holdItems(
  array: readonly unknown[],
  from: number,
  checkAt: (index: number) => Check | undefined,
  run: Run,
  path: Path | undefined,
): boolean {
  let holds = true;
  spend(run, array.length);
  for (let index = from; index < array.length; index++) {
    if (checkAt(index)?.(array[index], run, undefined, below(path, index)) !== false) continue;
    if (path === undefined) return false;
    holds = false;
  }
  return holds;
}

const items: Keyword = {
  on: "array",
  compile(_value, site) {
    const [prefix, rest] = itemsOf(site);
    const checkAt = (index: number): Check | undefined => (prefix[index] ?? rest)?.check;
    return (array: readonly unknown[], run, marks, path) => {
      const { length } = array;
      if (marks !== undefined) marks.items = Math.max(marks.items, rest ? length : Math.min(prefix.length, length));
      return holdItems(array, 0, checkAt, run, path);
    };
  },
};

const contains: Keyword = {
  on: "array",
  compile(_value, site, keyword) {
    const check = site.node(keyword)?.check;
    const least = Number(site.schema["minContains"] ?? 1);
    const most = Number(site.schema["maxContains"] ?? Infinity);
    return (array: readonly unknown[], run, marks, path) => {
      let found = 0;
      spend(run, array.length);
      for (let index = 0; index < array.length; index++) {
        if (check?.(array[index], run) !== true) continue;
        marks?.indexes.add(index);
        found++;
      }
      if (found >= least && found <= most) return true;
      const wanted = found < least ? `at least ${plural(least, "item")}` : `at most ${plural(most, "item")}`;
      const failed = found > most ? "maxContains" : least === 1 ? keyword : "minContains";
      return (
        path !== undefined &&
        report(run, path, locationOf(site.place, failed), failed, `must contain ${wanted} that match; got ${found}`)
      );
    };
  },
};

const unevaluatedItems: Keyword = {
  on: "array",
  isLate: true,
  compile(_value, site, keyword) {
    const check = site.node(keyword)?.check;
    return (array: readonly unknown[], run, marks, path) => {
      const checkAt = (index: number): Check | undefined => (marks?.indexes.has(index) ? undefined : check);
      const holds = holdItems(array, marks?.items ?? 0, checkAt, run, path);
      if (marks !== undefined) marks.items = array.length;
      return holds;
    };
  },
};

export const ARRAYS: Readonly<Record<string, Keyword>> = {
  prefixItems: items,
  items,
  additionalItems: items,
  contains,
  unevaluatedItems,
};
