import { canonical } from "../canonical.js";
import { isMultiple } from "../decimal.js";
import { type JsonObject, names, own } from "../json.js";
import { assert, type Keyword } from "../keyword.js";
import { type Run, spend } from "../limits.js";
import type { Site } from "../site.js";
import { list, nearest, plural, show } from "../wording.js";

/** Code units of a string looked at in one step. */
const UNITS_PER_STEP = 64;

type Holds<T> = (value: T, limit: number, run: Run) => boolean;

function bound<T>(on: Keyword["on"], wanted: string, noun: string, holds: Holds<T>): Keyword {
  return {
    on,
    compile: (limit: number, site, keyword) => {
      const words = `${wanted} ${noun === "" ? limit : plural(limit, noun)}`;
      return assert(site, keyword, (value: T, run) => holds(value, limit, run), words);
    },
  };
}

function codePoints(text: string, run: Run): number {
  spend(run, text.length / UNITS_PER_STEP);
  let count = 0;
  for (let index = 0; index < text.length; index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1) count++;
  return count;
}

// code points are at most as many as code units and at least half, which nearly always decides
const isLong: Holds<string> = (text, limit, run) =>
  text.length >= limit && (text.length >= 2 * limit || codePoints(text, run) >= limit);
const isShort: Holds<string> = (text, limit, run) =>
  text.length <= limit || (text.length <= 2 * limit && codePoints(text, run) <= limit);

function size(object: JsonObject, run: Run): number {
  const { length } = names(object);
  spend(run, length);
  return length;
}

/** `enum`, and `const` as an `enum` of one. */
function among(choices: readonly unknown[], site: Site, keyword: string, wanted: string): ReturnType<typeof assert> {
  const simple = new Set(choices.filter((choice) => typeof choice !== "object" || choice === null));
  const composed = new Set(choices.filter((choice) => !simple.has(choice)).map((choice) => canonical(choice)));
  const test = (value: unknown, run: Run): boolean =>
    typeof value !== "object" || value === null
      ? simple.has(value)
      : composed.size > 0 && composed.has(canonical(value, run));
  return assert(site, keyword, test, wanted, (value) => nearest(value, choices));
}

/** Two items that are the same, in words; nothing if there are none. Linear, by a text of each. */
function repeated(array: readonly unknown[], run?: Run): string {
  const seen = new Map<string, number>();
  for (const [index, item] of array.entries()) {
    const text = canonical(item, run);
    const first = seen.get(text);
    if (first !== undefined) return `; items ${first} and ${index} are both ${show(item)}`;
    seen.set(text, index);
  }
  return "";
}

const areDifferent = (array: readonly unknown[], run: Run): boolean => repeated(array, run) === "";

/** The keywords that look at one value and at no subschema. */
export const ASSERTIONS: Readonly<Record<string, Keyword>> = {
  const: { compile: (constant, site, keyword) => among([constant], site, keyword, `be ${show(constant)}`) },
  enum: {
    compile: (choices: readonly unknown[], site, keyword) =>
      among(choices, site, keyword, `be one of ${list(choices)}`),
  },
  minimum: bound<number>("number", "be at least", "", (value, limit) => value >= limit),
  maximum: bound<number>("number", "be at most", "", (value, limit) => value <= limit),
  exclusiveMinimum: bound<number>("number", "be above", "", (value, limit) => value > limit),
  exclusiveMaximum: bound<number>("number", "be below", "", (value, limit) => value < limit),
  multipleOf: bound<number>("number", "be a multiple of", "", isMultiple),
  minLength: bound("string", "have at least", "character", isLong),
  maxLength: bound("string", "have at most", "character", isShort),
  minItems: bound<readonly unknown[]>("array", "have at least", "item", ({ length }, limit) => length >= limit),
  maxItems: bound<readonly unknown[]>("array", "have at most", "item", ({ length }, limit) => length <= limit),
  minProperties: bound<JsonObject>(
    "object",
    "have at least",
    "property",
    (value, limit, run) => size(value, run) >= limit,
  ),
  maxProperties: bound<JsonObject>(
    "object",
    "have at most",
    "property",
    (value, limit, run) => size(value, run) <= limit,
  ),
  uniqueItems: {
    on: "array",
    compile: (isWanted: boolean, site, keyword) =>
      isWanted ? assert(site, keyword, areDifferent, "have items that all differ", repeated) : undefined,
  },
  pattern: {
    on: "string",
    compile: (source: string, site, keyword) =>
      assert(site, keyword, site.pattern(keyword, source).test, `match the pattern ${show(source)}`),
  },
  format: {
    on: "string",
    compile(name: string, site, keyword) {
      const format = own(site.formats, name);
      if (typeof format !== "function") return undefined;
      const test = (text: string, run: Run): boolean => {
        spend(run, text.length / UNITS_PER_STEP);
        return format(text) === true;
      };
      return assert(site, keyword, test, `be in the format ${show(name)}`);
    },
  },
};
