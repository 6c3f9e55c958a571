/**
 * A JSON object as it arrives: any member may be anything.
 * @stable
 */
export type JsonObject = { readonly [name: string]: unknown };

const hasOwn = Object.prototype.hasOwnProperty;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `Array.isArray` narrows `unknown` to `any[]`; this one does not. */
export function isArray(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

export function isString(value: unknown): value is string {
  return typeof value === "string";
}

/** The kinds of JSON values, as `type` names them. */
export const KINDS = ["string", "object", "array", "number", "integer", "boolean", "null"] as const;

/** The place of a value's kind in `KINDS`, or the one behind for what JSON cannot say. */
export function kindOf(value: unknown): number {
  if (typeof value === "string") return 0;
  if (typeof value === "object") return value === null ? 6 : Array.isArray(value) ? 2 : 1;
  if (typeof value === "boolean") return 5;
  return Number.isInteger(value) ? 4 : Number.isFinite(value) ? 3 : 7;
}

/**
 * An own member, so that `constructor` and `__proto__` are ordinary names. A member that is `undefined` is absent, as
 * it is in JSON.
 */
export function own(object: JsonObject, name: string): unknown {
  return hasOwn.call(object, name) ? object[name] : undefined;
}

/** The names of the members that JSON would carry. */
export function names(object: JsonObject): string[] {
  return Object.keys(object).filter((name) => object[name] !== undefined);
}

/** One more step of a JSON pointer. */
export function step(pointer: string, segment: string | number): string {
  const text = String(segment);
  return `${pointer}/${/[~/]/.test(text) ? text.replaceAll("~", "~0").replaceAll("/", "~1") : text}`;
}
