import { isArray, isObject, isString } from "./json.js";
import { deepen, type Run, spend } from "./limits.js";

/** One text for all values that are equal as JSON: members in any order, `1.0` and `1`, `-0` and `0`. */
export function canonical(value: unknown, run?: Run): string {
  if (run !== undefined) spend(run, isString(value) ? 1 + value.length / 64 : 1);
  if (isString(value)) return JSON.stringify(value);
  if (typeof value !== "object" || value === null) return String(value);
  if (run !== undefined) deepen(run, 1);
  let text = "";
  if (isArray(value)) for (const item of value) text += `,${canonical(item, run)}`;
  else if (isObject(value)) {
    for (const name of Object.keys(value).sort()) {
      const member = value[name];
      if (member !== undefined) text += `,${JSON.stringify(name)}:${canonical(member, run)}`;
    }
  }
  if (run !== undefined) run.depth -= 1;
  return isArray(value) ? `[${text}]` : `{${text}}`;
}
