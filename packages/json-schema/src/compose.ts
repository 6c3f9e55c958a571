import { all, type Check, pass } from "./check.js";
import type { CompileOptions } from "./compile.js";
import { fail } from "./issue.js";
import { KINDS, kindOf, own, textsOf } from "./json.js";
import type { Compile } from "./keyword.js";
import { jump } from "./keywords/reference.js";
import type { Budget } from "./limits.js";
import { unevaluated } from "./marks.js";
import type { Place } from "./place.js";
import type { Find } from "./registry.js";
import type { Site } from "./site.js";

/** Gives a place its check: its type, then what its keywords ask of the kinds of values that are left. */
export const compose = (place: Place, find: Find, options: CompileOptions, budget: Budget): void => {
  const { below, resource } = place;
  const { isLegacy, keywords } = resource.dialect;
  const isAlone = isLegacy && Object(place.schema).$ref !== undefined;
  const known = Object.entries(Object(place.schema)).filter(
    ([name, value]) => value !== undefined && keywords.has(name) && (name === "$ref" || !isAlone),
  );
  const schema = Object.fromEntries(known);
  const held: Site["held"] = (keyword) => below.get(keyword) ?? [];
  const siteAt = (keyword: string): Site => ({ keyword, place, schema, options, budget, held, find });
  const isNever = place.schema === false;
  const types = textsOf(schema["type"]);
  const typed = types.reduce((bits, type) => bits | (own<number>(KINDS, type) ?? 0), 0);
  const taken = isNever ? 0 : typed || -1;
  const checks = new Map<Compile, Check>();
  for (const [name, value] of known) {
    const [, compile, on = ""] = keywords.get(name) ?? [];
    const check = compile && !checks.has(compile) && compile(value, siteAt(name));
    if (!compile || !check) continue;
    const kinds = own<number>(KINDS, on) ?? -1;
    const isSure = (taken & ~kinds) === 0;
    checks.set(
      compile,
      isSure ? check : (value, run, marks, path) => (kinds & kindOf(value)) === 0 || check(value, run, marks, path),
    );
  }
  const site = siteAt(isNever ? "false schema" : "type");
  const rest = unevaluated(site, all([...checks.values()]));
  if (rest === pass) place.plain = taken;
  const wanted = isNever ? "be absent" : `be of type ${types.join(" or ")}`;
  const check: Check = (value, run, marks, path) =>
    (taken & kindOf(value)) === 0 && taken !== -1
      ? fail(site, run, path, wanted, value)
      : rest(value, run, marks, path);
  // a resource within another adds itself to the dynamic scope
  place.check = place.isEmbedded ? jump(1, () => ({ check, resource })) : check;
};
