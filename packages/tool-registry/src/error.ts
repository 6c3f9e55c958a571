import { isInstance, nameAs } from "@parlance/jsonrpc/brand";

/**
 * Why a registry said no to its own program, or found a tool at fault.
 * `NAME_TAKEN` another tool has the name and keeps it · `INVALID_TOOL` no name or no `run` ·
 * `INVALID_SCHEMA` no Standard Schema, or one that cannot be listed · `INVALID_RESULT` a tool returned what cannot be sent.
 * @stable
 */
export type RegistryErrorCode = "NAME_TAKEN" | "INVALID_TOOL" | "INVALID_SCHEMA" | "INVALID_RESULT";

/**
 * A mistake of the program that uses a registry. Never sent.
 * `instanceof` also holds across several installed copies of this package.
 * @stable
 */
export class RegistryError extends Error {
  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: a subclass inherits this method
    return isInstance(this, "RegistryError", value);
  }
  readonly code: RegistryErrorCode;
  /** The name of the tool it is about. */
  readonly tool: string;

  constructor(code: RegistryErrorCode, message: string, options: { readonly tool: string; readonly cause?: unknown }) {
    super(message, options);
    nameAs(this, "RegistryError");
    this.code = code;
    this.tool = options.tool;
  }
}

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
