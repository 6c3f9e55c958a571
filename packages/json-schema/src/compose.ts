import { all, type Check, pass } from "./check.js";
import { KINDS, kindOf, own } from "./json.js";
import { type Compile, fail } from "./keyword.js";
import { unevaluated } from "./marks.js";
import type { Site } from "./site.js";

/** One check for a subschema: its type, then what its keywords ask of the kinds of values that are left. */
export function compose(site: Site): void {
  const { schema, place } = site;
  const types = [schema["type"] ?? []].flat().map(String);
  const taken = types.reduce((bits, type) => bits | (own<number>(KINDS, type) ?? 0), 0) || -1;
  const done = new Set<Compile | undefined>([undefined]);
  const checks: Check[] = [];
  for (const [name, value] of Object.entries(schema)) {
    const [, compile, on] = place.resource.dialect.keywords.get(name) ?? [];
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
  if (rest === pass && place.schema !== false) place.plain = taken;
  const wanted = `be ${types.map(withArticle).join(" or ")}`;
  place.check = (value, run, marks, path) =>
    (taken & kindOf(value)) === 0 && taken > 0
      ? fail(site, "type", run, path, wanted, value)
      : rest(value, run, marks, path);
}

function withArticle(type: string): string {
  return type === "null" ? type : `${/^[aio]/.test(type) ? "an" : "a"} ${type}`;
}
