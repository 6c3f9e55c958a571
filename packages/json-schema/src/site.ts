import type { Node } from "./check.js";
import type { Formats } from "./format.js";
import type { JsonObject } from "./json.js";
import type { Pattern } from "./pattern/pattern.js";
import type { Place } from "./resource.js";

/** A subschema while its keywords are compiled. Their values are as the dialect says: that was seen to before. */
export interface Site {
  readonly place: Place;
  readonly schema: JsonObject;
  /** The formats that are asserted here. */
  readonly formats: Formats;
  /** The compiled subschema at a keyword, if it is there. */
  node(keyword: string): Node | undefined;
  /** All of them, in a list or a map. */
  nodes(keyword: string): readonly (readonly [segment: string, node: Node])[];
  /** What a reference leads to. Its node may not be compiled yet: call `check` through it. */
  refer(keyword: string, reference: string): Place;
  /** Has every schema that bears this `$dynamicAnchor`, given as `#name`, compiled, also those found later. */
  reach(name: string): void;
  pattern(keyword: string, source: string): Pattern;
}
