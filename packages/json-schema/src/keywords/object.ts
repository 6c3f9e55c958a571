import { all, apply, type Check, type Path, type Run } from "../check.js";
import { fail } from "../issue.js";
import { type JsonObject, names, own, textsOf } from "../json.js";
import { assert, type Compile } from "../keyword.js";
import { spend } from "../limits.js";
import { compilePattern } from "../pattern/pattern.js";
import type { Place } from "../place.js";
import { list, nearest, show } from "../wording.js";

// called here and not in a function of its own, the engine sees through it: every name of a for-in is one
const hasOwn = Object.prototype.hasOwnProperty;

/** `properties`, `patternProperties`, `additionalProperties` and `required`, in one pass over the members. */
export const members: Compile = (_value, site) => {
  const { held } = site;
  const required = new Set(textsOf(site.schema["required"]));
  const described = new Map(held("properties").map((each) => [each.key, each]));
  const known = [...new Set([...described.keys(), ...required])];
  const slots = known.map((name, index) => {
    return { name, next: index + 1, place: described.get(name), isRequired: Number(required.has(name)) };
  });
  const slotFor = new Map(slots.map((slot) => [slot.name, slot]));
  const patterns = held("patternProperties").map((place) => {
    return { place, matches: compilePattern({ ...site, keyword: "patternProperties" }, place.key) };
  });
  const [rest] = held("additionalProperties");
  // apart, or each member would have to keep its name for the hint
  const refuse = (name: string, object: JsonObject, run: Run, path: Path | undefined): false =>
    fail({ ...site, keyword: "additionalProperties" }, run, path, `not have the property ${show(name)}`, object, () => {
      return nearest(name, known, run) || `; it may have ${list(known)}`;
    });
  const hasPatterns = patterns.length > 0;
  const wanted = required.size;
  return (object: JsonObject, run, marks, path) => {
    let holds = true;
    let seen = 0;
    let met = 0;
    let next = 0;
    for (const name in object) {
      const value = object[name];
      if (value === undefined || !hasOwn.call(object, name)) continue;
      seen++;
      // members come mostly in the order of the schema
      let slot = slots[next];
      if (slot?.name !== name) slot = slotFor.get(name);
      let isFine: boolean | undefined;
      if (slot !== undefined) {
        next = slot.next;
        met += slot.isRequired;
        if (slot.place !== undefined) isFine = apply(slot.place, value, run, path, name);
      }
      if (hasPatterns) {
        for (const { place, matches } of patterns) {
          if (matches(name, run)) isFine = apply(place, value, run, path, name) && isFine !== false;
        }
      }
      if (isFine === undefined && rest !== undefined) {
        isFine = rest.schema === false ? refuse(name, object, run, path) : apply(rest, value, run, path, name);
      }
      if (isFine !== undefined) marks?.add(name);
      if (isFine !== false) continue;
      if (path === undefined) return false;
      holds = false;
    }
    spend(run, seen);
    if (met === wanted) return holds;
    for (const name of path === undefined ? [] : required) {
      if (own(object, name) !== undefined) continue;
      fail({ ...site, keyword: "required" }, run, path, `have the property ${show(name)}`, object);
    }
    return false;
  };
};

/** The names of an object's members, paid for. */
export const present = (object: JsonObject, run: Run): readonly string[] => {
  const found = names(object);
  spend(run, found.length);
  return found;
};

export const propertyNames: Compile = (_value, { held, keyword }) => {
  const [place] = held(keyword);
  // each is looked at also after a fault, when faults are reported
  return (object: JsonObject, run, _marks, path) =>
    present(object, run).filter((name) => place && !apply(place, name, run, path, name)).length === 0;
};

/** `dependentRequired`, `dependentSchemas`, and `dependencies` which is either. */
export const dependencies = (): Compile => (value: JsonObject, site) => {
  const places = new Map(site.held(site.keyword).map((place) => [place.key, place]));
  return all(
    Object.entries(value).map(([name, needed]): Check => {
      const texts = textsOf(needed);
      const hasAll = (object: JsonObject): boolean => texts.every((other) => own(object, other) !== undefined);
      const wanted = `have ${list(texts)} too when it has ${show(name)}`;
      const place: Pick<Place, "check"> = places.get(name) ?? { check: assert(site, hasAll, wanted) };
      return (object: JsonObject, run, marks, path) => {
        spend(run, 1 + texts.length);
        return own(object, name) === undefined || place.check(object, run, marks, path);
      };
    }),
  );
};
