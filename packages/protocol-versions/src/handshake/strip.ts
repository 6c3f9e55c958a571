import type { JsonObject } from "@parlance/jsonrpc";
import { isJsonObject } from "../json-object.js";

/**
 * Leaves out of a value what its reader does not know. Returns the same object when there is nothing to leave out.
 */
export type Strip = (value: JsonObject) => JsonObject;

/** Leaves out members by name. */
export function without(names: readonly string[] | undefined): Strip | undefined {
  if (names === undefined || names.length === 0) {
    return undefined;
  }
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

/** Strips one member, if it is an object. */
export function member(name: string, strip: Strip | undefined): Strip | undefined {
  if (strip === undefined) {
    return undefined;
  }
  return (value) => {
    const before = value[name];
    if (!isJsonObject(before)) {
      return value;
    }
    const after = strip(before);
    return after === before ? value : { ...value, [name]: after };
  };
}

/** Strips each element of a member, if it is an array. */
export function each(name: string, strip: Strip | undefined): Strip | undefined {
  if (strip === undefined) {
    return undefined;
  }
  return (value) => {
    const before = value[name];
    if (!Array.isArray(before)) {
      return value;
    }
    const after = before.map((element: unknown) => (isJsonObject(element) ? strip(element) : element));
    return after.some((element, index) => element !== before[index]) ? { ...value, [name]: after } : value;
  };
}

/** One strip after the other; none when there is none. */
export function inTurn(...strips: readonly (Strip | undefined)[]): Strip | undefined {
  const [first, ...rest] = strips.filter((strip) => strip !== undefined);
  return first && rest.reduce<Strip>((before, after) => (value) => after(before(value)), first);
}
