import type { Run } from "../check.js";
import type { Fill } from "../filler.js";
import { isArray, isObject, isString, type JsonObject, own } from "../json.js";
import { deepen, spend } from "../limits.js";
import type { Place } from "../place.js";
import type { Registry } from "../registry.js";

/**
 * Fills `default`s in along `properties`, `items`, `prefixItems`, `allOf` and `$ref`, where a schema applies without
 * condition; what is filled in is a new copy each time, and gets its own defaults.
 */
export function createFiller(registry: Registry): Fill {
  function fill(place: Place, value: unknown, run: Run): unknown {
    const { schema, below, resource } = place;
    if (!isObject(schema)) return value;
    spend(run, 1);
    deepen(run, 1);
    let filled = value;
    const reference = own(schema, "$ref");
    if (isString(reference)) filled = fill(registry.find(place, "$ref", reference), filled, run);
    if (!isString(reference) || !resource.dialect.isLegacy) {
      for (const each of below.get("allOf") ?? []) filled = fill(each, filled, run);
      if (isArray(filled)) filled = fillItems(filled, place, run);
      else if (isObject(filled)) filled = fillMembers(filled, place, run);
    }
    run.depth -= 1;
    return filled;
  }

  function fillItems(array: readonly unknown[], { schema, below }: Place, run: Run): readonly unknown[] {
    const items = below.get("items") ?? [];
    const isTuple = isObject(schema) && isArray(schema["items"]);
    const prefix = (isTuple ? items : below.get("prefixItems")) ?? [];
    const rest = isTuple ? undefined : items[0];
    const filled = array.map((item, index) => {
      const place = prefix[index] ?? rest;
      return place === undefined ? item : fill(place, item, run);
    });
    return filled.every((item, index) => item === array[index]) ? array : filled;
  }

  function fillMembers(object: JsonObject, { below }: Place, run: Run): JsonObject {
    let filled = object;
    for (const place of below.get("properties") ?? []) {
      const name = place.key;
      const before = own(object, name);
      const start = before === undefined ? defaultOf(place, run) : before;
      const after = start === undefined ? undefined : fill(place, start, run);
      if (after === before) continue;
      if (filled === object) filled = { ...object };
      // an assignment to `__proto__` would not make a member
      Object.defineProperty(filled, name, { value: after, enumerable: true, configurable: true, writable: true });
    }
    return filled;
  }

  return (value, run) => fill(registry.root, value, run);
}

/** A copy, paid for by its size, or a small schema could make a large value. */
function defaultOf({ schema }: Place, run: Run): unknown {
  const text = isObject(schema) ? JSON.stringify(own(schema, "default")) : undefined;
  if (text === undefined) return undefined;
  spend(run, text.length / 4);
  return JSON.parse(text);
}
