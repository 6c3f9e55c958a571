import { isArray, isComposed, isString, names } from "./json.js";
import { type Budget, deepen, spend } from "./limits.js";

/** One text for all values that are equal as JSON: members in any order, `1.0` and `1`, `-0` and `0`. */
export const canonical = (value: unknown, budget: Budget): string => {
  spend(budget, isString(value) ? 1 + value.length / 64 : 1);
  if (!isComposed(value)) return isString(value) ? JSON.stringify(value) : String(value);
  deepen(budget, 1);
  const members = names(value).map((name) => `${canonical(name, budget)}:${canonical(value[name], budget)}`);
  budget.depth -= 1;
  return (isArray(value) ? "[" : "{") + members.sort();
};
