import { isInstance, nameAs } from "@parlance/jsonrpc/brand";

/**
 * An error whose message the caller may read: thrown by a tool, it becomes an `isError` result with that text.
 * Any other error is answered with a reference only.
 * `instanceof` also holds across several installed copies of this package.
 * @stable
 */
export class PublicError extends Error {
  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: a subclass inherits this method
    return isInstance(this, "PublicError", value);
  }
  readonly code = "PUBLIC";

  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    nameAs(this, "PublicError");
  }
}
