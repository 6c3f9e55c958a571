import { isArray, isComposed, isString } from "./json.js";
import { type AllLimits, within } from "./limits.js";

/** What documents have cost so far. */
export interface Tally {
  size: number;
  subschemas: number;
}

/** Adds a document's size in characters; bounded in depth, so a value that holds itself ends too. */
export function measure(value: unknown, limits: AllLimits, tally: Tally, depth = 0): void {
  tally.size += isString(value) || isArray(value) ? value.length + 3 : 4;
  within(limits, "schemaSize", tally.size, "SCHEMA_TOO_LARGE");
  within(limits, "schemaDepth", depth, "SCHEMA_TOO_DEEP");
  if (!isComposed(value)) return;
  for (const [name, member] of Object.entries(value)) {
    tally.size += name.length;
    measure(member, limits, tally, depth + 1);
  }
}
