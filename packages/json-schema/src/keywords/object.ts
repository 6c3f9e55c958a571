import { all, apply, type Check, type Run } from "../check.js";
import { fail } from "../issue.js";
import { isArray, isString, type JsonObject, names, own } from "../json.js";
import { assert, type Compile, type Vocabulary } from "../keyword.js";
import { spend } from "../limits.js";
import { MAP, mapOf, NAMES, SCHEMA } from "../shapes.js";
import { list, nearest, show } from "../wording.js";

// called here and not in a function of its own, the engine sees through it: every name of a for-in is one
const hasOwn = Object.prototype.hasOwnProperty;

/** `properties`, `patternProperties`, `additionalProperties` and `required`, in one pass over the members. */
const members: Compile = (_value, site) => {
  const required = new Set(textsOf(site.schema["required"]));
  const described = new Map(site.nodes("properties"));
  const known = [...new Set([...described.keys(), ...required])];
  const slots = known.map((name, index) => {
    return { name, next: index + 1, place: described.get(name), isRequired: Number(required.has(name)) };
  });
  const slotFor = new Map(slots.map((slot) => [slot.name, slot]));
  const patterns = site.nodes("patternProperties").map(([source, place]) => {
    return { place, pattern: site.pattern("patternProperties", source) };
  });
  const hasPatterns = patterns.length > 0;
  const rest = site.node("additionalProperties");
  const isClosed = rest?.schema === false;
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
        for (const { place, pattern } of patterns) {
          if (pattern(name, run)) isFine = apply(place, value, run, path, name) && isFine !== false;
        }
      }
      if (isFine === undefined && rest !== undefined) {
        isFine = isClosed
          ? fail(
              site.place,
              "additionalProperties",
              run,
              path,
              `not have the property ${show(name)}`,
              object,
              () => nearest(name, known) || `; it may have ${list(known)}`,
            )
          : apply(rest, value, run, path, name);
      }
      if (isFine !== undefined) marks?.add(name);
      if (isFine !== false) continue;
      if (path === undefined) return false;
      holds = false;
    }
    spend(run, seen);
    if (met === wanted) return holds;
    for (const name of path === undefined ? [] : required) {
      if (own(object, name) === undefined)
        fail(site.place, "required", run, path, `have the property ${show(name)}`, object);
    }
    return false;
  };
};

function textsOf(texts: unknown): readonly string[] {
  return isArray(texts) ? texts.filter(isString) : [];
}

const propertyNames: Compile = (_value, site, keyword) => {
  const place = site.node(keyword);
  return (object: JsonObject, run, _marks, path) => {
    const present = names(object);
    spend(run, present.length);
    // each is looked at also after a fault, when faults are reported
    return present.filter((name) => place && !apply(place, name, run, path, name)).length === 0;
  };
};

/** `dependentRequired`, `dependentSchemas`, and `dependencies` which is either. */
export function dependencies(): Compile {
  return (value: JsonObject, site, keyword) => {
    const places = new Map(site.nodes(keyword));
    return all(
      Object.entries(value).map(([name, needed]): Check => {
        const texts = textsOf(needed);
        const hasAll = (object: JsonObject, run: Run): boolean => {
          spend(run, texts.length);
          return texts.every((other) => own(object, other) !== undefined);
        };
        const wanted = `have ${list(texts)} too when it has ${show(name)}`;
        const place = places.get(name) ?? { check: assert(site, keyword, hasAll, wanted) };
        return (object: JsonObject, run, marks, path) => {
          spend(run, 1);
          return own(object, name) === undefined || place.check(object, run, marks, path);
        };
      }),
    );
  };
}

export const OBJECTS: Vocabulary = {
  additionalProperties: [SCHEMA, members, "object"],
  properties: [MAP, members, "object"],
  patternProperties: [MAP, members, "object"],
  dependentSchemas: [MAP, /* @__PURE__ */ dependencies(), "object"],
  propertyNames: [SCHEMA, propertyNames, "object"],
};

/** Those that are not applicators but validation. */
export const NEEDS: Vocabulary = {
  required: [NAMES, members, "object"],
  dependentRequired: [mapOf(NAMES), /* @__PURE__ */ dependencies(), "object"],
};
