import { all, type Check, pass } from "./check.js";
import { isArray, isString, KINDS, kindOf } from "./json.js";
import { assert, type Keyword } from "./keyword.js";
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
  readonly on: Keyword["on"];
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
  const types = isString(type) ? [type] : isArray(type) ? type : KINDS;
  if (types === KINDS && rules.every(({ on }) => on === undefined)) return all(rules.map(({ check }) => check));
  const refuse = assert(site, "type", () => false, `be ${types.map(withArticle).join(" or ")}`);
  const checks = [...KINDS, ""].map((kind) => {
    const alias = kind === "integer" ? "number" : kind;
    if (type !== undefined && !types.includes(kind) && !types.includes(alias)) return refuse;
    return all(rules.filter(({ on = alias }) => on === alias).map(({ check }) => check));
  });
  // most subschemas say no more than this
  if (rules.length === 0) {
    return (value, run, marks, path) => checks[kindOf(value)] === pass || refuse(value, run, marks, path);
  }
  return (value, run, marks, path) => (checks[kindOf(value)] ?? refuse)(value, run, marks, path);
}

function withArticle(type: unknown): string {
  return type === "null" ? "null" : `${/^[aio]/.test(String(type)) ? "an" : "a"} ${type}`;
}
