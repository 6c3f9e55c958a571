/** A value, now or later. */
export type Later<T> = T | Promise<T>;

/** Goes on at once with a value, and later with a promised one. */
export function after<T, R>(value: Later<T>, next: (value: T) => R): Later<R> {
  return isPromise(value) ? value.then(next) : next(value);
}

function isPromise<T>(value: Later<T>): value is Promise<T> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
