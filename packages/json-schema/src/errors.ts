import type { AllLimits, Limits } from "./limits.js";

/**
 * Why a schema was not compiled.
 * @stable
 */
export type SchemaErrorCode = "INVALID_SCHEMA" | "UNKNOWN_DIALECT" | "UNRESOLVED_REFERENCE" | "UNSAFE_PATTERN";

/**
 * A schema that cannot be used: invalid in its dialect, of an unknown dialect, with a reference that leads nowhere,
 * or with a pattern that could stall the process. Thrown by `compile` and `jsonSchema`.
 * @stable
 */
export class SchemaError extends Error {
  override readonly name = "SchemaError";
  declare readonly code: SchemaErrorCode;
  /** Where in the schema: a JSON pointer as a URI fragment, behind the document's URI if it is not the main one. */
  declare readonly location: string;

  constructor(code: SchemaErrorCode, location: string, message: string) {
    super(`${message} (at ${location})`);
    this.code = code;
    this.location = location;
  }
}

/**
 * A bound was exceeded, so there is no verdict: neither valid nor invalid.
 * @stable
 */
export class LimitError extends Error {
  override readonly name = "LimitError";
  readonly code = "LIMIT_EXCEEDED";
  /** The member of `limits` that can be raised. */
  declare readonly option: keyof Limits;

  constructor(option: keyof Limits, limits: AllLimits, detail = "") {
    super(`exceeds limits.${option}, which is ${limits[option]}${detail}`);
    this.option = option;
  }
}
