import type { Formats } from "./format.js";
import type { JsonObject } from "./json.js";
import type { Budget } from "./limits.js";
import type { Pattern } from "./pattern/pattern.js";
import type { Place } from "./place.js";

/** A subschema while its keywords are compiled. Their values are as the dialect says: that was seen to before. */
export interface Site {
  readonly place: Place;
  /** The keywords that have a meaning here. */
  readonly schema: JsonObject;
  /** For what compiling takes. */
  readonly budget: Budget;
  /** The formats that are asserted here. */
  readonly formats: Formats;
  /** The compiled subschema at a keyword, if it is there. */
  readonly node: (keyword: string) => Place | undefined;
  /** All of them, in a list. */
  readonly list: (keyword: string) => readonly Place[];
  /** All of them, in a map. */
  readonly nodes: (keyword: string) => readonly (readonly [segment: string, place: Place])[];
  /** What a reference leads to, which may not be compiled yet. */
  readonly refer: (keyword: string, reference: string) => Place;
  readonly pattern: (keyword: string, source: string) => Pattern;
}
