import type { Node } from "./check.js";
import type { Dialect } from "./dialect.js";
import { isObject, type JsonObject, step } from "./json.js";

export type Schema = JsonObject | boolean;

export function isSchema(value: unknown): value is Schema {
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
  readonly schema: Schema;
  readonly resource: Resource;
  /** As a URI with a pointer; the URI of the main document is left out. */
  readonly location: string;
  /** It is a resource of its own within another. */
  readonly isEmbedded: boolean;
  /** Levels of subschemas above it in its document. */
  readonly depth: number;
  /** What each keyword holds: one without a name, or many by theirs. */
  readonly below: Map<string, (readonly [name: string, place: Place])[]>;
  node?: Node | undefined;
}

/** Where something in it is. */
export function locationOf({ location }: Place, ...steps: readonly (string | number)[]): string {
  return steps.reduce<string>(step, location);
}
