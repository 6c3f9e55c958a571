import { isPromise } from "@parlance/jsonrpc/respond";

/** A value, now or later. */
export type Later<T> = T | Promise<T>;

/** Goes on at once with a value, and later with a promised one. */
export function after<T, R>(value: Later<T>, next: (value: T) => R): Later<R> {
  return isPromise(value) ? value.then(next) : next(value);
}
