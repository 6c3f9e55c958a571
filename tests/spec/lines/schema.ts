import { lines, type SpecLine } from "../line.js";

/** Group SCH: how JSON Schema is read, written and kept from doing harm. */
export const schema: readonly SpecLine[] = lines("2026-07-28 basic/index#json-schema-usage", [
  ["SCH-01", "25-11+", "a schema without a dialect is 2020-12"],
  ["SCH-02", "24-11–25-06", "habits of draft-07 do no harm"],
  ["SCH-03", "25-11+", "a schema may name another dialect"],
  ["SCH-04", "25-11+", "which dialects are known is written down"],
  ["SCH-05", "25-11+", "an unknown dialect is an error, not a pass"],
  ["SCH-06", "25-11+", "an invalid schema is refused"],
  ["SCH-07", "M", "no reference is fetched from the network"],
  ["SCH-08", "M", "and nothing can switch that on"],
  ["SCH-09", "M", "a reference to nowhere is refused"],
  ["SCH-10", "M", "depth, number and time are bounded"],
  ["SCH-11", "M", "a pattern cannot stall the process"],
  ["SCH-12", "M", "every keyword of a received schema survives"],
  ["SCH-13", "M", "schemas of validators are written as 2020-12"],
  ["SCH-14", "M", "a format is a note and a default fills nothing, unless asked"],
]);
