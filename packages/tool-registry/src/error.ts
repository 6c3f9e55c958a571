/**
 * Why a registry said no to its own program, or found a tool at fault.
 * `NAME_TAKEN` another tool has the name and keeps it · `INVALID_TOOL` no name or no `run` ·
 * `INVALID_SCHEMA` no Standard Schema, or one that cannot be listed · `INVALID_RESULT` a tool returned what cannot be sent.
 * @stable
 */
export type RegistryErrorCode = "NAME_TAKEN" | "INVALID_TOOL" | "INVALID_SCHEMA" | "INVALID_RESULT";

const brand: unique symbol = Symbol.for("parlance.error") as never;

function hasBrand(value: unknown, kind: string): boolean {
  return typeof value === "object" && value !== null && Reflect.get(value, brand) === kind;
}

/**
 * A mistake of the program that uses a registry. Never sent.
 * `instanceof` also holds across several installed copies of this package.
 * @stable
 */
export class RegistryError extends Error {
  static {
    Object.defineProperty(RegistryError.prototype, brand, { value: "registry" });
    Object.defineProperty(RegistryError.prototype, "name", {
      value: "RegistryError",
      configurable: true,
      writable: true,
    });
  }
  static override [Symbol.hasInstance](value: unknown): boolean {
    return hasBrand(value, "registry");
  }
  readonly code: RegistryErrorCode;
  /** The name of the tool it is about. */
  readonly tool: string;

  constructor(code: RegistryErrorCode, message: string, options: { readonly tool: string; readonly cause?: unknown }) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
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
  static {
    Object.defineProperty(PublicError.prototype, brand, { value: "public" });
    Object.defineProperty(PublicError.prototype, "name", { value: "PublicError", configurable: true, writable: true });
  }
  static override [Symbol.hasInstance](value: unknown): boolean {
    return hasBrand(value, "public");
  }
  readonly code = "PUBLIC";
}
