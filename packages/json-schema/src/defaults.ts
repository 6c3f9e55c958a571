import { isArray, isObject, isString, type JsonObject, own, step } from "./json.js";
import { deepen, type Run, spend } from "./limits.js";
import type { Registry } from "./registry.js";
import type { Place } from "./resource.js";

/** Gives a value back with its defaults: itself if none was missing, else a copy as far as it differs. */
export type Fill = (value: unknown, run: Run) => unknown;

/**
 * Fills `default`s in along `properties`, `items`, `prefixItems`, `allOf` and `$ref`, where a schema applies without
 * condition; what is filled in is a new copy each time, and gets its own defaults.
 */
export function createFiller(registry: Registry): Fill {
  function fill(place: Place, value: unknown, run: Run): unknown {
    const { schema, pointer, resource } = place;
    if (!isObject(schema)) return value;
    spend(run, 1);
    deepen(run, 1);
    const at = (...segments: readonly (string | number)[]): Place | undefined =>
      resource.document.places.get(segments.reduce(step, pointer));
    let filled = value;
    const reference = own(schema, "$ref");
    const through = (next: Place | undefined): void => {
      if (next !== undefined) filled = fill(next, filled, run);
    };
    if (isString(reference)) through(registry.find(place, "$ref", reference));
    if (!isString(reference) || resource.dialect.name !== "draft-07") {
      for (const index of Object.keys(Object(own(schema, "allOf")))) through(at("allOf", index));
      if (isArray(filled))
        filled = fillItems(filled, (index) => at("prefixItems", index) ?? at("items", index) ?? at("items"), run);
      else if (isObject(filled))
        filled = fillMembers(
          filled,
          Object.keys(Object(own(schema, "properties"))),
          (name) => at("properties", name),
          run,
        );
    }
    run.depth -= 1;
    return filled;
  }

  function fillItems(
    array: readonly unknown[],
    at: (index: number) => Place | undefined,
    run: Run,
  ): readonly unknown[] {
    const filled = array.map((item, index) => {
      const place = at(index);
      return place === undefined ? item : fill(place, item, run);
    });
    return filled.every((item, index) => item === array[index]) ? array : filled;
  }

  function fillMembers(
    object: JsonObject,
    names: readonly string[],
    at: (name: string) => Place | undefined,
    run: Run,
  ): JsonObject {
    let filled = object;
    for (const name of names) {
      const place = at(name);
      if (place === undefined) continue;
      const before = own(object, name);
      const standard = isObject(place.schema) ? own(place.schema, "default") : undefined;
      const after =
        before === undefined && standard === undefined
          ? undefined
          : fill(place, before === undefined ? structuredClone(standard) : before, run);
      if (after === before) continue;
      if (filled === object) filled = { ...object };
      // an assignment to `__proto__` would not make a member
      Object.defineProperty(filled, name, { value: after, enumerable: true, configurable: true, writable: true });
    }
    return filled;
  }

  return (value, run) => fill(registry.root, value, run);
}
