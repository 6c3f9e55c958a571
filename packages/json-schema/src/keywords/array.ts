import { apply } from "../check.js";
import { fail } from "../issue.js";
import { isArray } from "../json.js";
import type { Compile } from "../keyword.js";
import { spend } from "../limits.js";

/** The first items by their place, and what holds for the rest: `prefixItems` and `items`, or those of draft-07. */
export const items: Compile = (_value, { schema, held }) => {
  const isTuple = isArray(schema["items"]);
  const prefix = held(isTuple ? "items" : "prefixItems");
  const [rest] = held(isTuple ? "additionalItems" : "items");
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

/** `contains`, with `minContains` and `maxContains`. */
export const contains: Compile = (_value, site) => {
  const [place] = site.held(site.keyword);
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
    const bound = found < least ? `least ${least}` : `most ${most}`;
    return fail(site, run, path, `have at ${bound} of its items match`, found);
  };
};
