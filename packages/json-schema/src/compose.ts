import { all, type Check, pass } from "./check.js";
import type { CompileOptions } from "./compile.js";
import { fail } from "./issue.js";
import { KINDS, kindOf, own, step } from "./json.js";
import type { Compile } from "./keyword.js";
import { jump } from "./keywords/reference.js";
import type { Budget } from "./limits.js";
import { unevaluated } from "./marks.js";
import { compilePattern } from "./pattern/pattern.js";
import type { Place } from "./place.js";
import type { Find } from "./registry.js";
import type { Site } from "./site.js";

/** Gives a place its check: its type, then what its keywords ask of the kinds of values that are left. */
export function compose(
  place: Place,
  find: Find,
  { formats = {}, patternEngine }: CompileOptions,
  budget: Budget,
): void {
  const { below, location, resource } = place;
  const { isLegacy, keywords } = resource.dialect;
  const nodes: Site["nodes"] = (keyword) => below.get(keyword) ?? [];
  const known = Object.entries(Object(place.schema)).filter(
    ([name, value]) => value !== undefined && keywords.has(name),
  );
  const reference = isLegacy && known.find(([name]) => name === "$ref");
  const schema = Object.fromEntries(reference ? [reference] : known);
  const site: Site = {
    place,
    schema,
    budget,
    formats,
    nodes,
    list: (keyword) => nodes(keyword).map(([, held]) => held),
    node: (keyword) => nodes(keyword)[0]?.[1],
    refer: (keyword, uri) => find(place, keyword, uri),
    pattern: (keyword, source) => compilePattern(source, step(location, keyword), patternEngine, budget),
  };
  const isNever = place.schema === false;
  const types = [schema["type"] ?? []].flat().map(String);
  const typed = types.reduce((bits, type) => bits | (own<number>(KINDS, type) ?? 0), 0);
  const taken = isNever ? 0 : typed || -1;
  const done = new Set<Compile | undefined>([undefined]);
  const checks: Check[] = [];
  for (const [name, value] of Object.entries(schema)) {
    const [, compile, on] = keywords.get(name) ?? [];
    const check = done.has(compile) ? undefined : compile?.(value, site, name);
    const kinds = on === undefined ? -1 : KINDS[on];
    done.add(compile);
    if (check === undefined || (taken & kinds) === 0) continue;
    const isSure = (taken & ~kinds) === 0;
    checks.push(
      isSure ? check : (value, run, marks, path) => (kinds & kindOf(value)) === 0 || check(value, run, marks, path),
    );
  }
  const rest = unevaluated(site, all(checks));
  if (rest === pass) place.plain = taken;
  const keyword = isNever ? "false schema" : "type";
  const wanted = isNever ? "be absent" : `be ${types.map(withArticle).join(" or ")}`;
  const check: Check = (value, run, marks, path) =>
    (taken & kindOf(value)) === 0 && taken !== -1
      ? fail(place, keyword, run, path, wanted, value)
      : rest(value, run, marks, path);
  // a resource within another adds itself to the dynamic scope
  place.check = place.isEmbedded ? jump(1, () => ({ check, resource })) : check;
}

function withArticle(type: string): string {
  return type === "null" ? type : `${/^[aio]/.test(type) ? "an" : "a"} ${type}`;
}
