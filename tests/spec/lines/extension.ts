import { lines, type SpecLine } from "../line.js";

/** Group EXT: what is beyond the protocol. */
export const extension: readonly SpecLine[] = lines("basic/versioning#extension-negotiation", [
  ["EXT-01", "M", "extensions are declared by id, with their settings"],
  ["EXT-02", "M", "an id has a prefix"],
  ["EXT-03", "L", "sessions may declare them too"],
  ["EXT-04", "M", "what one side alone has changes nothing, or is an error"],
  ["EXT-06", "M", "none is on by itself"],
  ["EXT-07", "M", "who needs one says which"],
  ["EXT-08", "M", "unknown ones are ignored, and kept"],
  ["EXT-09", "M", "one may add methods, result types, listen keys and names for headers"],
]);
