import { isArray, isObject, names } from "./json.js";
import { deepen, type Run, spend } from "./limits.js";

/** One text for all values that are equal as JSON: names in any order, `1.0` and `1`, `-0` and `0`. */
export function canonical(value: unknown, run?: Run): string {
  if (run !== undefined) spend(run, 1);
  if (typeof value === "string") {
    if (run !== undefined) spend(run, value.length / 64);
    return JSON.stringify(value);
  }
  if (typeof value !== "object" || value === null) return String(value);
  if (run !== undefined) deepen(run, 1);
  let text = "{}";
  if (isArray(value)) text = `[${value.map((item) => canonical(item, run)).join()}]`;
  else if (isObject(value)) {
    const object = value;
    text = `{${names(object)
      .sort()
      .map((name) => `${JSON.stringify(name)}:${canonical(object[name], run)}`)
      .join()}}`;
  }
  if (run !== undefined) run.depth -= 1;
  return text;
}
