import { apply } from "../check.js";
import { fail } from "../issue.js";
import { isArray } from "../json.js";
import type { Compile, Vocabulary } from "../keyword.js";
import { spend } from "../limits.js";
import { SCHEMA, SCHEMAS } from "../shapes.js";
import { plural } from "../wording.js";

/** The first items by their place, and what holds for the rest: `prefixItems` and `items`, or those of draft-07. */
export const items: Compile = (_value, { schema, node, list }) => {
  const isTuple = isArray(schema["items"]);
  const prefix = list(isTuple ? "items" : "prefixItems");
  const rest = node(isTuple ? "additionalItems" : "items");
  return (array: readonly unknown[], run, marks, path) => {
    let holds = true;
    spend(run, array.length);
    for (let index = 0; index < array.length; index++) {
      const place = index < prefix.length ? prefix[index] : rest;
      if (place === undefined) break;
      marks?.add(index);
      if (apply(place, array[index], run, path, index)) continue;
      if (path === undefined) return false;
      holds = false;
    }
    return holds;
  };
};

const contains: Compile = (_value, site, keyword) => {
  const place = site.node(keyword);
  const least = Number(site.schema["minContains"] ?? 1);
  const most = Number(site.schema["maxContains"] ?? Infinity);
  return (array: readonly unknown[], run, marks, path) => {
    let found = 0;
    spend(run, array.length);
    for (const [index, item] of array.entries()) {
      if (place === undefined || !apply(place, item, run)) continue;
      marks?.add(index);
      found++;
    }
    if (found >= least && found <= most) return true;
    const failed = found < least ? "minContains" : "maxContains";
    const wanted = `contain at ${found < least ? `least ${plural(least, "item")}` : `most ${plural(most, "item")}`} that match`;
    return fail(site.place, failed in site.schema ? failed : keyword, run, path, wanted, found);
  };
};

export const ARRAYS: Vocabulary = {
  prefixItems: [SCHEMAS, items, "array"],
  items: [SCHEMA, items, "array"],
  contains: [SCHEMA, contains, "array"],
};
