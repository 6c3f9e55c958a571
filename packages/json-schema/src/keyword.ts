import type { Check } from "./check.js";
import { report } from "./issue.js";
import type { Run } from "./limits.js";
import { locationOf } from "./resource.js";
import type { Site } from "./site.js";
import { show } from "./wording.js";

/** Compiles a keyword with this value. Written as a method so that it may name the type that the dialect promises. */
type Compile = { of(value: unknown, site: Site, keyword: string): Check | undefined }["of"];

export interface Keyword {
  /** The kind of values that it has a say on; all if it is left out. An integer is a number. */
  readonly on?: "string" | "number" | "array" | "object" | undefined;
  readonly compile: Compile;
  /** It looks at what all others have evaluated. */
  readonly isLate?: boolean | undefined;
}

export type Test = { of(value: unknown, run: Run): boolean }["of"];

/** More on a value that fails, such as what was meant. */
export type Hint = { of(value: unknown): string }["of"];

/** A check that a test decides alone: what a value must do, and what it is instead. */
export function assert(site: Site, keyword: string, test: Test, wanted: string, hint?: Hint): Check {
  return (value, run, _marks, path) =>
    test(value, run) ||
    (path !== undefined &&
      report(
        run,
        path,
        locationOf(site.place, keyword),
        keyword,
        `must ${wanted}; got ${show(value)}${hint === undefined ? "" : hint(value)}`,
      ));
}
