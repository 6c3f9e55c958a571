import { isPromise } from "@parlance/jsonrpc/respond";

/** A value, or the promise of one. */
export type Later<T> = T | Promise<T>;

/** Goes on at once with a value, and later with a promised one. */
export function after<T, R>(value: Later<T>, next: (value: T) => Later<R>): Later<R> {
  return isPromise(value) ? Promise.resolve(value).then(next) : next(value);
}
