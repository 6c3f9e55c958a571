import { isArray, isComposed, isString, names } from "./json.js";
import { type Budget, deepen, spend } from "./limits.js";

/** One text for all values that are equal as JSON: members in any order, `1.0` and `1`, `-0` and `0`. */
export function canonical(value: unknown, run: Budget): string {
  spend(run, isString(value) ? 1 + value.length / 64 : 1);
  if (!isComposed(value)) return isString(value) ? JSON.stringify(value) : String(value);
  deepen(run, 1);
  const members = names(value).map((name) => `${JSON.stringify(name)}:${canonical(value[name], run)}`);
  run.depth -= 1;
  return (isArray(value) ? "[" : "{") + members.sort();
}
