import type { AccessError, RpcError } from "./error.js";

const brand: unique symbol = /* @__PURE__ */ Symbol.for("parlance.error") as never;

/**
 * What a class of errors answers to `instanceof`. Tells by the brand, so that it holds across several installed copies; a
 * subclass of the user's, which inherits the method, is told as usual. A class that named itself to say which it is would
 * be renamed by bundlers.
 * @stable
 */
export function isInstance(asked: object, name: string, value: unknown): boolean {
  if (!Object.hasOwn(asked, Symbol.hasInstance)) return Function.prototype[Symbol.hasInstance].call(asked, value);
  return hasBrand(value, name);
}

/**
 * Whether an error is meant for the other side, an `RpcError` or an `AccessError`, which is told without having them in a
 * bundle.
 * @stable
 */
export function travels(error: unknown): error is RpcError | AccessError {
  return hasBrand(error, "RpcError") || hasBrand(error, "AccessError");
}

/**
 * Whether an error has the brand of a class, or of one that extends it.
 * @stable
 */
export function hasBrand(error: unknown, name: string): error is Error {
  return (error as { readonly [brand]?: string } | null | undefined)?.[brand] === name;
}

/**
 * Gives an error its name and its brand. Done in the constructor: a static block would keep the class in bundles that
 * never use it.
 * @stable
 */
export function nameAs(error: Error, value: string): void {
  Object.defineProperties(error, { [brand]: { value }, name: { value, configurable: true, writable: true } });
}
