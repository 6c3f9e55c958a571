import { apply, type Check, type Run } from "./check.js";
import { isArray, isComposed, names } from "./json.js";
import { spend } from "./limits.js";
import type { Site } from "./site.js";

/**
 * The names or indexes that the keywords of a schema have evaluated of one object or array; kept only where
 * `unevaluated…` looks at it. A failed branch evaluates nothing, so each branch has its own, joined when it holds.
 */
export type Marks = Set<string | number>;

/** Adds what a branch evaluated that held, where somebody asks. */
export const join = (marks: Marks | undefined, branch: Marks | undefined, run: Run): void => {
  if (marks === undefined || branch === undefined) return;
  spend(run, branch.size);
  for (const key of branch) marks.add(key);
};

/** `unevaluatedProperties` and `unevaluatedItems`: what the keywords beside them leave. */
export const unevaluated = ({ held }: Pick<Site, "held">, check: Check): Check => {
  const [items] = held("unevaluatedItems");
  const [properties] = held("unevaluatedProperties");
  if (items === undefined && properties === undefined) return check;
  return (value, run, outer, path) => {
    const marks: Marks = new Set();
    let holds = check(value, run, marks, path);
    const rest = isArray(value) ? items : properties;
    if (holds && rest !== undefined && isComposed(value)) {
      for (const key of isArray(value) ? value.keys() : names(value)) {
        spend(run, 1);
        if (marks.has(key)) continue;
        marks.add(key);
        if (apply(rest, value[key], run, path, key)) continue;
        if (path === undefined) return false;
        holds = false;
      }
    }
    if (holds) join(outer, marks, run);
    return holds;
  };
};
