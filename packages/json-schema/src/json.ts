/**
 * A JSON object as it arrives: any member may be anything.
 * @stable
 */
export type JsonObject = { readonly [name: string]: unknown };

/** `Array.isArray` narrows `unknown` to `any[]`; this one does not. */
export const isArray: (value: unknown) => value is readonly unknown[] = Array.isArray;

/** An object or an array, whose members are items by their index. */
export const isComposed = (value: unknown): value is JsonObject => typeof value === "object" && value !== null;

/** Whether a value is an object of JSON, and no array. */
export const isObject = (value: unknown): value is JsonObject => isComposed(value) && !isArray(value);

export const isString = (value: unknown): value is string => typeof value === "string";

/** The kinds of JSON values, as `type` names them, each a set of bits. An integer is a number. */
export const KINDS = { string: 1, object: 2, array: 4, number: 24, integer: 16, boolean: 32, null: 64 } as const;

/** The bit of a value's kind; 0 for what JSON cannot say. */
export const kindOf = (value: unknown): number => {
  if (typeof value === "string") return 1;
  if (typeof value === "object") return value === null ? 64 : isArray(value) ? 4 : 2;
  if (typeof value === "boolean") return 32;
  return Number.isInteger(value) ? 16 : Number.isFinite(value) ? 8 : 0;
};

/**
 * An own member, so that `constructor` and `__proto__` are ordinary names. A member that is `undefined` is absent, as
 * it is in JSON.
 */
export const own = <T>(object: { readonly [name: string]: T }, name: string): T | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** The names of the members that JSON would carry. */
export const names = (object: JsonObject): string[] => Object.keys(object).filter((name) => object[name] !== undefined);

/** One text or a list of them, in a list. */
export const textsOf = (texts: unknown): readonly string[] => [texts ?? []].flat().filter(isString);

/** One more step of a JSON pointer. */
export const step = (pointer: string, segment: string | number): string =>
  `${pointer}/${String(segment).replaceAll("~", "~0").replaceAll("/", "~1")}`;
