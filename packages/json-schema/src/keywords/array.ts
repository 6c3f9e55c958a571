import { below, type Node } from "../check.js";
import { report } from "../issue.js";
import { isArray } from "../json.js";
import type { Keyword } from "../keyword.js";
import { spend } from "../limits.js";
import { locationOf } from "../resource.js";
import type { Site } from "../site.js";
import { plural } from "../wording.js";

/** The first items by their place, and what holds for the rest: `prefixItems` and `items`, or those of draft-07. */
function itemsOf({ schema, node, nodes }: Site): readonly [prefix: readonly Node[], rest: Node | undefined] {
  const tuple = isArray(schema["items"]) ? "items" : "prefixItems";
  const rest = node(tuple === "items" ? "additionalItems" : "items");
  return [nodes(tuple).map(([, item]) => item), rest];
}

const items: Keyword = {
  on: "array",
  compile(_value, site) {
    const [prefix, rest] = itemsOf(site);
    const checks = prefix.map(({ check }) => check);
    const restCheck = rest?.check;
    return (array: readonly unknown[], run, marks, path) => {
      const { length } = array;
      const end = restCheck === undefined ? Math.min(checks.length, length) : length;
      let holds = true;
      spend(run, length);
      for (let index = 0; index < end; index++) {
        const check = index < checks.length ? checks[index] : restCheck;
        if (check === undefined || check(array[index], run, undefined, below(path, index))) continue;
        if (path === undefined) return false;
        holds = false;
      }
      if (marks !== undefined) marks.items = Math.max(marks.items, end);
      return holds;
    };
  },
};

const contains: Keyword = {
  on: "array",
  compile(_value, site, keyword) {
    const check = site.node(keyword)?.check;
    const least = Number(site.schema["minContains"] ?? 1);
    const most = Number(site.schema["maxContains"] ?? Number.POSITIVE_INFINITY);
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
      let holds = true;
      spend(run, array.length);
      for (let index = marks?.items ?? 0; index < array.length; index++) {
        if (marks?.indexes.has(index) || check?.(array[index], run, undefined, below(path, index))) continue;
        if (path === undefined) return false;
        holds = false;
      }
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
