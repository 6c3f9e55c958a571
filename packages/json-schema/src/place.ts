import type { Check } from "./check.js";
import type { Dialect } from "./dialect.js";

/** A schema with a URI of its own. */
export interface Resource {
  readonly uri: string;
  readonly dialect: Dialect;
  /** What bears a dynamic anchor in it, by `#name`. */
  readonly dynamic: Map<string, Place>;
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
  /** Its name or index in what holds it. */
  readonly key: string;
  /** What each keyword holds. */
  readonly below: Map<string, readonly Place[]>;
  /** What it asks of a value; others may see the place before it is compiled. */
  check: Check;
  /** The kinds of values that it takes without looking further, as bits. */
  plain: number;
}
