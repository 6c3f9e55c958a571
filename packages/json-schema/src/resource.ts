import type { Check } from "./check.js";
import type { Dialect } from "./dialect.js";
import { isObject, type JsonObject } from "./json.js";

export function isSchema(value: unknown): value is JsonObject | boolean {
  return isObject(value) || typeof value === "boolean";
}

/** A schema with a URI of its own, and the names given inside it. */
export interface Resource {
  readonly uri: string;
  readonly dialect: Dialect;
  /** By name, and those that are dynamic by `#name` as well. */
  readonly anchors: Map<string, Place>;
}

/** Where a subschema stands. */
export interface Place {
  readonly schema: unknown;
  readonly resource: Resource;
  /** As a URI with a pointer; the URI of the main document is left out. */
  readonly location: string;
  /** It is a resource of its own within another. */
  readonly isEmbedded: boolean;
  /** Levels of subschemas in its document down to it. */
  readonly depth: number;
  /** What each keyword holds: one without a name, or many by theirs. */
  readonly below: Map<string, (readonly [name: string, place: Place])[]>;
  /** What it asks of a value; it is compiled after those below it, and others may see it before. */
  check: Check;
  /** The kinds of values that it takes without looking further, as bits. */
  plain: number;
}
