import { canonical } from "../canonical.js";
import type { Run } from "../check.js";
import { isMultiple } from "../decimal.js";
import { isArray, isComposed, type JsonObject, type KINDS, names, own } from "../json.js";
import { assert, type Compile, type Keyword, type Vocabulary } from "../keyword.js";
import { spend } from "../limits.js";
import { ANY, COUNT, FLAG, LIST, NUMBER, TEXT, TYPE } from "../shapes.js";
import { list, nearest, plural, show } from "../wording.js";

/** Code units of a string looked at in one step. */
const UNITS_PER_STEP = 64;

type Measure = { of(value: unknown, run: Run): number }["of"];
type Order = readonly [wanted: string, holding: (limit: number) => (value: number) => boolean];

const LEAST: Order = ["at least", (limit) => (value) => value >= limit];
const MOST: Order = ["at most", (limit) => (value) => value <= limit];

/** Compares a number, or with a noun how many of that there are. */
function bound(
  shape: JsonObject,
  on: keyof typeof KINDS,
  [wanted, holding]: Order,
  noun?: string,
  measure?: Measure,
): Keyword {
  const compile: Compile = (limit: number, site, keyword) => {
    const holds = holding(limit);
    const words = noun === undefined ? `be ${wanted} ${limit}` : `have ${wanted} ${plural(limit, noun)}`;
    return assert(site, keyword, measure ? (value, run) => holds(measure(value, run)) : holds, words);
  };
  return [shape, compile, on];
}

/** Code points: a pair of surrogates is one. */
const characters: Measure = (text: string, run) => {
  spend(run, text.length / UNITS_PER_STEP);
  return text.replace(/[\ud800-\udbff][\udc00-\udfff]/g, " ").length;
};
const items: Measure = (array: readonly unknown[]) => array.length;
const properties: Measure = (object: JsonObject, run) => {
  const { length } = names(object);
  spend(run, length);
  return length;
};

/** `enum`, and `const` as an `enum` of one. */
function among(wanted: string): Compile {
  return (value, site, keyword) => {
    const choices = keyword === "enum" && isArray(value) ? value : [value];
    const simple = new Set(choices);
    const composed = new Set(choices.filter(isComposed).map((choice) => canonical(choice, site.budget)));
    const test = (value: unknown, run: Run): boolean =>
      isComposed(value) ? composed.size > 0 && composed.has(canonical(value, run)) : simple.has(value);
    return assert(site, keyword, test, wanted + list(choices), (value) => nearest(value, choices));
  };
}

/** Linear, by a text of each item. */
const uniqueItems: Compile = (isWanted: boolean, site, keyword) => {
  const test = (array: readonly unknown[], run: Run): boolean =>
    !isWanted || new Set(array.map((item) => canonical(item, run))).size === array.length;
  return assert(site, keyword, test, "have items that all differ");
};

const pattern: Compile = (source: string, site, keyword) =>
  assert(site, keyword, site.pattern(keyword, source), `match the pattern ${show(source)}`);

const format: Compile = (name: string, site, keyword) => {
  const isInFormat = own(site.formats, name);
  if (isInFormat === undefined) return undefined;
  const test = (text: string, run: Run): boolean => {
    spend(run, text.length / UNITS_PER_STEP);
    return isInFormat(text);
  };
  return assert(site, keyword, test, `be in the format ${show(name)}`);
};

/** The keywords that look at one value and at no subschema. */
export const ASSERTIONS: Vocabulary = {
  type: [TYPE],
  const: [ANY, /* @__PURE__ */ among("be ")],
  enum: [LIST, /* @__PURE__ */ among("be one of ")],
  minimum: /* @__PURE__ */ bound(NUMBER, "number", LEAST),
  maximum: /* @__PURE__ */ bound(NUMBER, "number", MOST),
  exclusiveMinimum: /* @__PURE__ */ bound(NUMBER, "number", ["above", (limit) => (value) => value > limit]),
  exclusiveMaximum: /* @__PURE__ */ bound(NUMBER, "number", ["below", (limit) => (value) => value < limit]),
  multipleOf: /* @__PURE__ */ bound({ ...NUMBER, exclusiveMinimum: 0 }, "number", [
    "a multiple of",
    (limit) => (value) => isMultiple(value, limit),
  ]),
  minLength: /* @__PURE__ */ bound(COUNT, "string", LEAST, "character", characters),
  maxLength: /* @__PURE__ */ bound(COUNT, "string", MOST, "character", characters),
  minItems: /* @__PURE__ */ bound(COUNT, "array", LEAST, "item", items),
  maxItems: /* @__PURE__ */ bound(COUNT, "array", MOST, "item", items),
  minContains: [COUNT],
  maxContains: [COUNT],
  minProperties: /* @__PURE__ */ bound(COUNT, "object", LEAST, "property", properties),
  maxProperties: /* @__PURE__ */ bound(COUNT, "object", MOST, "property", properties),
  uniqueItems: [FLAG, uniqueItems, "array"],
  pattern: [TEXT, pattern, "string"],
};

export const FORMAT: Vocabulary = { format: [TEXT, format, "string"] };
