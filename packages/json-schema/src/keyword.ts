import type { Check, Path } from "./check.js";
import { report } from "./issue.js";
import { type JsonObject, type KINDS, step } from "./json.js";
import type { Run } from "./limits.js";
import type { Site } from "./site.js";
import { show } from "./wording.js";

/** Compiles a keyword with this value. Written as a method so that it may name the type that the dialect promises. */
export type Compile = { of(value: unknown, site: Site, keyword: string): Check | undefined }["of"];

/**
 * What the value of a keyword must look like, as a schema; what the keyword does; the kind of values that it has a say
 * on, all if it is left out. Those that are compiled together have the same function.
 */
export type Keyword = readonly [shape: JsonObject, compile?: Compile, on?: keyof typeof KINDS];

/** Keywords by their name. */
export type Vocabulary = Readonly<Record<string, Keyword>>;

export type Test = { of(value: unknown, run: Run): boolean }["of"];

/** More on a value that fails, such as what was meant. */
export type Hint = { of(value: unknown): string }["of"];

/** A fault by this keyword, told if somebody asks: what a value must do, and what it is instead. */
export function fail(
  site: Site,
  keyword: string,
  run: Run,
  path: Path | undefined,
  wanted: string,
  value: unknown,
  hint?: Hint,
): false {
  if (path === undefined) return false;
  const message = `must ${wanted}; got ${show(value)}${hint === undefined ? "" : hint(value)}`;
  return report(run, path, step(site.place.location, keyword), keyword, message);
}

/** A check that a test decides alone. */
export function assert(site: Site, keyword: string, test: Test, wanted: string, hint?: Hint): Check {
  return (value, run, _marks, path) => test(value, run) || fail(site, keyword, run, path, wanted, value, hint);
}
