import type { Check, Run, Scope } from "../check.js";
import type { Compile, Vocabulary } from "../keyword.js";
import { deepen, spend } from "../limits.js";
import type { Place } from "../place.js";
import { TEXT } from "../shapes.js";

/** Applies the check of a place that is found, inside its resource, counting how deep that nests. */
export function jump(levels: number, find: (run: Run) => Pick<Place, "check" | "resource">): Check {
  return (value, run, marks, path) => {
    const { check, resource } = find(run);
    const { scope } = run;
    spend(run, 1);
    deepen(run, levels);
    if (resource !== scope.resource) run.scope = { resource, up: scope };
    const holds = check(value, run, marks, path);
    run.scope = scope;
    run.depth -= levels;
    return holds;
  };
}

/** `$ref`, and `$dynamicRef`: leads to the outermost schema that bears the name, if what it leads to by itself bears it dynamically. */
function reference(isDynamic: boolean): Compile {
  return (uri: string, { place, refer }, keyword) => {
    const target = refer(keyword, uri);
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
}

export const REFERENCES: Vocabulary = {
  $ref: [TEXT, /* @__PURE__ */ reference(false)],
  $dynamicRef: [TEXT, /* @__PURE__ */ reference(true)],
};
