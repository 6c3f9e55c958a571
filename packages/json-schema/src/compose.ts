import { all, type Check } from "./check.js";
import { isArray, isObject, isString } from "./json.js";
import { ANY, ARRAY, assert, BOOLEAN, type Keyword, NULL, NUMBER, OBJECT, OTHER, STRING } from "./keyword.js";
import { ARRAYS } from "./keywords/array.js";
import { ASSERTIONS } from "./keywords/assertions.js";
import { LOGIC } from "./keywords/logic.js";
import { OBJECTS } from "./keywords/object.js";
import { REFERENCES } from "./keywords/reference.js";
import { createMarks, join } from "./marks.js";
import type { Site } from "./site.js";

const KEYWORDS: ReadonlyMap<string, Keyword> = new Map(
  [REFERENCES, ASSERTIONS, ARRAYS, OBJECTS, LOGIC].flatMap((keywords) => Object.entries(keywords)),
);

interface Rule {
  readonly on: number;
  readonly check: Check;
}

/** One check for a subschema: its types, then what its keywords ask of that kind of value. */
export function compose(site: Site): Check {
  const rules: Rule[] = [];
  const late: Rule[] = [];
  const done = new Set<Keyword>();
  for (const [name, value] of Object.entries(site.schema)) {
    const keyword = KEYWORDS.get(name);
    if (keyword === undefined || done.has(keyword)) continue;
    done.add(keyword);
    const check = keyword.compile(value, site, name);
    if (check !== undefined) (keyword.isLate ? late : rules).push({ on: keyword.on, check });
  }
  const early = byKind(site, rules);
  if (late.length === 0) return early;
  const rest = byKind(site, late);
  return (value, run, outer, path) => {
    const marks = createMarks();
    if (!early(value, run, marks, path) || !rest(value, run, marks, path)) return false;
    join(outer, marks);
    return true;
  };
}

function byKind(site: Site, rules: readonly Rule[]): Check {
  const { type } = site.schema;
  const types = isString(type) ? [type] : isArray(type) ? type : undefined;
  if (types === undefined && rules.every(({ on }) => on === ANY)) return all(rules.map(({ check }) => check));
  const refuse = assert(site, "type", () => false, `be ${types?.map(withArticle).join(" or ")}`);
  const checkFor = (kind: number, name: string, other = name): Check =>
    types === undefined || types.includes(name) || types.includes(other)
      ? all(rules.flatMap(({ on, check }) => ((on & kind) === 0 ? [] : [check])))
      : refuse;
  // most subschemas say no more than this
  if (rules.length === 0) {
    if (type === "string")
      return (value, run, marks, path) => typeof value === "string" || refuse(value, run, marks, path);
    if (type === "boolean")
      return (value, run, marks, path) => typeof value === "boolean" || refuse(value, run, marks, path);
    if (type === "number")
      return (value, run, marks, path) => Number.isFinite(value) || refuse(value, run, marks, path);
  }
  const onString = checkFor(STRING, "string");
  const onFraction = checkFor(NUMBER, "number");
  const onInteger = checkFor(NUMBER, "number", "integer");
  const onBoolean = checkFor(BOOLEAN, "boolean");
  const onArray = checkFor(ARRAY, "array");
  const onObject = checkFor(OBJECT, "object");
  const onNull = checkFor(NULL, "null");
  const onOther = checkFor(OTHER, "");
  if (type === "object") {
    return (value, run, marks, path) => (isObject(value) ? onObject : refuse)(value, run, marks, path);
  }
  return (value, run, marks, path) => {
    if (typeof value === "string") return onString(value, run, marks, path);
    if (typeof value === "number" && Number.isFinite(value)) {
      return Number.isInteger(value) ? onInteger(value, run, marks, path) : onFraction(value, run, marks, path);
    }
    if (isArray(value)) return onArray(value, run, marks, path);
    if (isObject(value)) return onObject(value, run, marks, path);
    if (value === null) return onNull(value, run, marks, path);
    return typeof value === "boolean" ? onBoolean(value, run, marks, path) : onOther(value, run, marks, path);
  };
}

function withArticle(type: unknown): string {
  return type === "null" ? "null" : `${/^[aio]/.test(String(type)) ? "an" : "a"} ${type}`;
}
