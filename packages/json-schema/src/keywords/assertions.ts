import { canonical } from "../canonical.js";
import type { Run } from "../check.js";
import { isArray, isComposed, own } from "../json.js";
import { assert, type Compile } from "../keyword.js";
import { spend } from "../limits.js";
import { compilePattern } from "../pattern/pattern.js";
import { list, nearest, plural, show } from "../wording.js";

/** Code units of a string looked at in one step. */
const UNITS_PER_STEP = 64;

type Order = readonly [wanted: string, holds: (value: number, limit: number, run: Run) => boolean];
type Measure = { of(value: unknown, run: Run): { readonly length: number } }["of"];

export const LEAST: Order = ["at least", (value, limit) => value >= limit];
export const MOST: Order = ["at most", (value, limit) => value <= limit];

/** Compares a number. */
export const compare =
  ([wanted, holds]: Order): Compile =>
  (limit: number, site) =>
    assert(site, (value: number, run) => holds(value, limit, run), `be ${wanted} ${limit}`);

/** Compares how many there are of what a value is measured by, itself if it is a list. */
export const count =
  ([wanted, holds]: Order, noun: string, measure: Measure = (list: readonly unknown[]) => list): Compile =>
  (limit: number, site) =>
    assert(
      site,
      (value, run) => holds(measure(value, run).length, limit, run),
      `have ${wanted} ${plural(limit, noun)}`,
    );

/** Code points: a pair of surrogates is one. */
export const characters: Measure = (text: string, run) => {
  spend(run, text.length / UNITS_PER_STEP);
  return text.replace(/[\ud800-\udbff][\udc00-\udfff]/g, " ");
};

/** `enum`, and `const` as an `enum` of one. */
export const among =
  (wanted: string): Compile =>
  (value, site) => {
    const choices = site.keyword === "enum" && isArray(value) ? value : [value];
    const simple = new Set(choices);
    const composed = new Set(choices.filter(isComposed).map((choice) => canonical(choice, site.budget)));
    const test = (value: unknown, run: Run): boolean =>
      isComposed(value) ? composed.size > 0 && composed.has(canonical(value, run)) : simple.has(value);
    return assert(site, test, wanted + list(choices), (value, run) => nearest(value, choices, run));
  };

/** Linear, by a text of each item. */
export const uniqueItems: Compile = (isWanted: boolean, site) => {
  const test = (array: readonly unknown[], run: Run): boolean =>
    !isWanted || new Set(array.map((item) => canonical(item, run))).size === array.length;
  return assert(site, test, "have items that all differ");
};

/** `pattern`. */
export const pattern: Compile = (source: string, site) =>
  assert(site, compilePattern(site, source), `match the pattern ${show(source)}`);

/** `format`, where the options have the format: otherwise it is an annotation. */
export const format: Compile = (name: string, site) => {
  const isInFormat = own(site.options.formats ?? {}, name);
  if (isInFormat === undefined) return undefined;
  const test = (text: string, run: Run): boolean => {
    spend(run, text.length / UNITS_PER_STEP);
    return isInFormat(text);
  };
  return assert(site, test, `be in the format ${show(name)}`);
};
