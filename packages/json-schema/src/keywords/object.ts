import { all, below, type Check, type Path } from "../check.js";
import { report } from "../issue.js";
import { isArray, isString, type JsonObject, names, own } from "../json.js";
import { assert, type Keyword } from "../keyword.js";
import { type Run, spend } from "../limits.js";
import { locationOf } from "../resource.js";
import type { Site } from "../site.js";
import { list, nearest, show } from "../wording.js";

// called here and not in a function of its own, the engine sees through it: every name of a for-in is one
const hasOwn = Object.prototype.hasOwnProperty;

interface Slot {
  readonly name: string;
  readonly index: number;
  /** Left out when it is required, but not described. */
  readonly check: Check | undefined;
  readonly isRequired: boolean;
}

function slotsOf(site: Site, required: ReadonlySet<string>): readonly Slot[] {
  const checks = new Map(site.nodes("properties").map(([name, { check }]) => [name, check]));
  return [...new Set([...checks.keys(), ...required])].map((name, index) => {
    return { name, index, check: checks.get(name), isRequired: required.has(name) };
  });
}

/** `properties`, `patternProperties`, `additionalProperties` and `required`, in one pass over the members. */
const members: Keyword = {
  on: "object",
  compile(_value, site) {
    const required = new Set(textsOf(site.schema["required"]));
    const slots = slotsOf(site, required);
    const slotFor = new Map(slots.map((slot) => [slot.name, slot]));
    const patterns = site
      .nodes("patternProperties")
      .map(([source, { check }]) => ({ check, ...site.pattern("patternProperties", source) }));
    const hasPatterns = patterns.length > 0;
    const rest = site.node("additionalProperties");
    const restCheck = rest?.never ? refusal(site, "additionalProperties", [...slotFor.keys()]) : rest?.check;
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
        const guess = slots[next];
        const slot = guess?.name === name ? guess : slotFor.get(name);
        if (slot !== undefined) next = slot.index + 1;
        const at = path && { up: path, key: name };
        let isKnown = false;
        let isFine = true;
        if (slot !== undefined) {
          isKnown = slot.check !== undefined;
          if (slot.isRequired) met++;
          if (slot.check !== undefined) isFine = slot.check(value, run, undefined, at);
        }
        if (hasPatterns) {
          for (const { test, check } of patterns) {
            if (!test(name, run)) continue;
            isKnown = true;
            isFine = check(value, run, undefined, at) && isFine;
          }
        }
        if (!isKnown && restCheck !== undefined) {
          isKnown = true;
          isFine = restCheck(value, run, undefined, at);
        }
        if (!isFine) {
          if (path === undefined) return false;
          holds = false;
        }
        if (marks !== undefined && isKnown) marks.names.add(name);
      }
      spend(run, seen);
      if (met === required.size) return holds;
      return path !== undefined && missing(site, object, required, run, path);
    };
  },
};

function textsOf(list: unknown): readonly string[] {
  return isArray(list) ? list.filter(isString) : [];
}

function missing(site: Site, object: JsonObject, required: Iterable<string>, run: Run, path: Path): false {
  const at = locationOf(site.place, "required");
  for (const name of required) {
    if (own(object, name) === undefined)
      report(run, path, at, "required", `must have the property ${show(name)}; got ${show(object)}`);
  }
  return false;
}

/** For a property that must not be there: says so of the object that has it, and which ones may be. */
function refusal(site: Site, keyword: string, known: readonly string[]): Check {
  const at = locationOf(site.place, keyword);
  return (_value, run, _marks, path) => {
    if (path === undefined) return false;
    const { key, up = path } = path;
    const hint = nearest(key, known) || (known.length === 0 ? "; it has none" : `; it may have ${list(known)}`);
    return report(run, up, at, keyword, `must not have the property ${show(key)}${hint}`);
  };
}

const propertyNames: Keyword = {
  on: "object",
  compile(_value, site, keyword) {
    const check = site.node(keyword)?.check;
    return (object: JsonObject, run, _marks, path) => {
      const present = names(object);
      spend(run, present.length);
      // each is looked at also after a fault, when faults are reported
      const failed = present.filter((name) => check?.(name, run, undefined, below(path, name)) === false);
      return failed.length === 0;
    };
  },
};

const unevaluatedProperties: Keyword = {
  on: "object",
  isLate: true,
  compile(_value, site, keyword) {
    const node = site.node(keyword);
    return (object: JsonObject, run, marks, path) => {
      const check = node?.never ? refusal(site, keyword, [...(marks?.names ?? [])]) : node?.check;
      let holds = true;
      for (const name of names(object)) {
        spend(run, 1);
        if (marks?.names.has(name) || check?.(object[name], run, undefined, below(path, name))) continue;
        if (path === undefined) return false;
        holds = false;
      }
      for (const name of names(object)) marks?.names.add(name);
      return holds;
    };
  },
};

/** `dependentRequired`, `dependentSchemas`, and `dependencies` which is either. */
const dependencies: Keyword = {
  on: "object",
  compile(value: JsonObject, site, keyword) {
    const nodes = new Map(site.nodes(keyword));
    return all(
      Object.entries(value).map(([name, needed]): Check => {
        const check = nodes.get(name)?.check ?? needs(site, keyword, name, textsOf(needed));
        return (object: JsonObject, run, marks, path) => {
          spend(run, 1);
          return own(object, name) === undefined || check(object, run, marks, path);
        };
      }),
    );
  },
};

function needs(site: Site, keyword: string, name: string, needed: readonly string[]): Check {
  const test = (object: JsonObject, run: Run): boolean => {
    spend(run, needed.length);
    return needed.every((other) => own(object, other) !== undefined);
  };
  return assert(site, keyword, test, `have ${list(needed)} too when it has ${show(name)}`);
}

export const OBJECTS: Readonly<Record<string, Keyword>> = {
  properties: members,
  patternProperties: members,
  additionalProperties: members,
  required: members,
  propertyNames,
  // copies: keywords that are the same are compiled together, and these are not
  dependentRequired: { ...dependencies },
  dependentSchemas: { ...dependencies },
  dependencies,
  unevaluatedProperties,
};
