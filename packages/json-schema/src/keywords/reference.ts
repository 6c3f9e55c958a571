import type { Check, Run, Scope } from "../check.js";
import type { Compile } from "../keyword.js";
import { deepen, spend } from "../limits.js";
import type { Place } from "../place.js";

/** Applies the check of a place that is found, inside its resource, counting how deep that nests. */
export const jump =
  (levels: number, find: (run: Run) => Pick<Place, "check" | "resource">): Check =>
  (value, run, marks, path) => {
    const { check, resource } = find(run);
    const { scope } = run;
    spend(run, 1);
    deepen(run, levels);
    if (resource !== scope?.resource) run.scope = { resource, up: scope };
    const holds = check(value, run, marks, path);
    run.scope = scope;
    run.depth -= levels;
    return holds;
  };

/** `$ref`, and `$dynamicRef`: leads to the outermost schema that bears the name, if what it leads to by itself bears it dynamically. */
export const reference =
  (isDynamic: boolean): Compile =>
  (uri: string, { place, keyword, find }) => {
    const target = find(place, keyword, uri);
    const name = uri.slice(uri.indexOf("#"));
    const isNamed = isDynamic && target.resource.dynamic.get(name) === target;
    return jump(place.depth, (run) => {
      let found = target;
      for (let scope: Scope | undefined = run.scope; isNamed && scope !== undefined; scope = scope.up) {
        found = scope.resource.dynamic.get(name) ?? found;
      }
      return found;
    });
  };
