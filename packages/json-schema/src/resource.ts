import type { Node } from "./check.js";
import type { Dialect } from "./dialect.js";
import { isObject, type JsonObject } from "./json.js";
import { NAMELESS } from "./uri.js";

export type Schema = JsonObject | boolean;

export function isSchema(value: unknown): value is Schema {
  return isObject(value) || typeof value === "boolean";
}

/** One JSON document, the schema itself or one that was handed in. */
export interface Document {
  readonly uri: string;
  /** Its subschemas by their JSON pointer. */
  readonly places: Map<string, Place>;
}

/** A schema with a URI of its own, and the names given inside it. */
export interface Resource {
  readonly uri: string;
  readonly dialect: Dialect;
  readonly document: Document;
  readonly pointer: string;
  readonly anchors: Map<string, Place>;
  readonly dynamicAnchors: Map<string, Place>;
}

/** Where a subschema stands. */
export interface Place {
  readonly schema: Schema;
  readonly resource: Resource;
  readonly pointer: string;
  /** Levels of subschemas above it in its document. */
  readonly depth: number;
  node?: Node | undefined;
}

/** Where in a document, as a URI; that of the main one is left out. */
export function locate({ uri }: Document, pointer: string): string {
  return `${uri === NAMELESS ? "" : uri}#${pointer}`;
}
