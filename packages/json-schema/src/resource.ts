import type { Node } from "./check.js";
import type { Dialect } from "./dialect.js";
import { isObject, type JsonObject, step } from "./json.js";
import { NAMELESS } from "./uri.js";

export type Schema = JsonObject | boolean;

export function isSchema(value: unknown): value is Schema {
  return isObject(value) || typeof value === "boolean";
}

/** A schema with a URI of its own, and the names given inside it. */
export interface Resource {
  readonly uri: string;
  /** The URI of the document that it is in. */
  readonly document: string;
  readonly dialect: Dialect;
  readonly anchors: Map<string, Place>;
  readonly dynamicAnchors: Map<string, Place>;
}

/** Where a subschema stands. */
export interface Place {
  readonly schema: Schema;
  resource: Resource;
  readonly parent: Place | undefined;
  /** The steps from its parent: a keyword, and a name or an index where the keyword holds many. */
  readonly steps: readonly string[];
  /** Levels of subschemas above it in its document. */
  readonly depth: number;
  /** What each keyword holds. */
  readonly below: Map<string, Place[]>;
  node?: Node | undefined;
}

/** Where that is, as a URI; the one of the main document is left out. */
export function locationOf(place: Place, ...more: readonly string[]): string {
  let pointer = more.reduce(step, "");
  for (let at: Place | undefined = place; at !== undefined; at = at.parent)
    pointer = at.steps.reduce(step, "") + pointer;
  const { document } = place.resource;
  return `${document === NAMELESS ? "" : document}#${pointer}`;
}
