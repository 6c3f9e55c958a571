import type { Check, Run } from "./check.js";
import { fail, type Hint } from "./issue.js";
import type { JsonObject, KINDS } from "./json.js";
import type { Site } from "./site.js";

/** Compiles a keyword with this value. Written as a method so that it may name the type that the dialect promises. */
export type Compile = { of(value: unknown, site: Site): Check | undefined }["of"];

/**
 * What the value of a keyword must look like, as a schema; what the keyword does; the kind of values that it has a say
 * on, all if it is left out. Those that are compiled together have the same function.
 */
export type Keyword = readonly [shape: JsonObject, compile?: Compile, on?: keyof typeof KINDS];

/** Keywords by their name. */
export type Vocabulary = Readonly<Record<string, Keyword>>;

/** Tells of a value whether it is as it must be. Written as a method so that it may name the kind of value that it is given. */
export type Test = { of(value: unknown, run: Run): boolean }["of"];

/** A check that a test decides alone. */
export const assert =
  (site: Site, test: Test, wanted: string, hint?: Hint): Check =>
  (value, run, _marks, path) =>
    test(value, run) || fail(site, run, path, wanted, value, hint);
