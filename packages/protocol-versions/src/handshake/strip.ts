import type { JsonObject } from "@parlance/jsonrpc";
import { isJsonObject } from "../json-object.js";

/**
 * Leaves out of a value what its reader does not know. Returns the same object when there is nothing to leave out.
 */
export type Strip = (value: JsonObject) => JsonObject;

/** Leaves out members by name. */
export function without(names: readonly string[]): Strip {
  return (value) => {
    if (!names.some((name) => name in value)) {
      return value;
    }
    const kept: Record<string, unknown> = { ...value };
    for (const name of names) {
      delete kept[name];
    }
    return kept;
  };
}

/** Strips what is in a member: an object, or each object of an array. */
export function inside(name: string, strip: Strip): Strip {
  const stripOne = (value: unknown): unknown => (isJsonObject(value) ? strip(value) : value);
  return (value) => {
    const before = value[name];
    if (!Array.isArray(before)) {
      const after = stripOne(before);
      return after === before ? value : { ...value, [name]: after };
    }
    const after = before.map(stripOne);
    return after.some((element, index) => element !== before[index]) ? { ...value, [name]: after } : value;
  };
}
