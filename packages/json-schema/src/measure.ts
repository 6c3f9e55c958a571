import { LimitError } from "./errors.js";
import { isArray, isString } from "./json.js";
import type { AllLimits } from "./limits.js";

/** What documents have cost so far. */
export interface Tally {
  size: number;
  subschemas: number;
}

/** Adds a document's size in characters; bounded in depth, so a value that holds itself ends too. */
export function measure(value: unknown, limits: AllLimits, tally: Tally, depth = 0): void {
  tally.size += isString(value) || isArray(value) ? value.length + 3 : 4;
  if (tally.size > limits.schemaSize) throw new LimitError("SCHEMA_TOO_LARGE", "schemaSize", limits);
  if (typeof value !== "object" || value === null) return;
  if (depth >= limits.schemaDepth) throw new LimitError("SCHEMA_TOO_DEEP", "schemaDepth", limits);
  for (const [name, member] of Object.entries(value)) {
    tally.size += name.length;
    measure(member, limits, tally, depth + 1);
  }
}
