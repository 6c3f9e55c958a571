import type { Check } from "../check.js";
import type { Keyword } from "../keyword.js";
import { deepen, type Run, type Scope, spend } from "../limits.js";
import type { Place } from "../resource.js";
import type { Site } from "../site.js";

/** `$ref`. */
const reference: Keyword = {
  compile(uri: string, site, keyword) {
    const target = site.refer(keyword, uri);
    return follow(site, target.resource !== site.place.resource, () => target);
  },
};

/** `$dynamicRef`: leads to the outermost schema that bears the name, if what it leads to by itself bears it dynamically. */
const dynamicReference: Keyword = {
  compile(uri: string, site, keyword) {
    const target = site.refer(keyword, uri);
    const name = uri.slice(uri.indexOf("#"));
    if (target.resource.anchors.get(name) !== target) return reference.compile(uri, site, keyword);
    site.reach(name);
    return follow(site, true, (run) => {
      let outermost = target;
      for (let scope: Scope | undefined = run.scope; scope !== undefined; scope = scope.up) {
        outermost = scope.resource.anchors.get(name) ?? outermost;
      }
      return outermost;
    });
  },
};

/** Applies what `find` gives, counting how deep that nests, and inside its resource if that is another. */
function follow(site: Site, crosses: boolean, find: (run: Run) => Place): Check {
  const levels = site.place.depth + 1;
  return (value, run, marks, path) => {
    const { node, resource } = find(run);
    spend(run, 1);
    deepen(run, levels);
    const { scope } = run;
    if (crosses) run.scope = { resource, up: scope };
    const holds = node?.check(value, run, marks, path) === true;
    run.scope = scope;
    run.depth -= levels;
    return holds;
  };
}

export const REFERENCES: Readonly<Record<string, Keyword>> = { $ref: reference, $dynamicRef: dynamicReference };
