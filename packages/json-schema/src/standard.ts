import { type CompileOptions, compile } from "./compile.js";
import { LimitError } from "./errors.js";
import type { JsonObject } from "./json.js";

/**
 * How a Standard Schema says what is wrong.
 * @stable
 */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly PropertyKey[] | undefined;
}

/**
 * A value as the schema gives it back, or what is wrong with it.
 * @stable
 */
export type StandardResult<T> =
  | { readonly value: T; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/**
 * A JSON Schema with the two faces of a Standard Schema: it validates, and it says what it is.
 * @see https://standardschema.dev
 * @stable
 */
export interface JsonSchema<T = unknown> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "parlance";
    readonly types?: { readonly input: T; readonly output: T } | undefined;
    readonly validate: (value: unknown) => StandardResult<T>;
    readonly jsonSchema: {
      /** The schema as it was given, in the dialect that it is in, whatever the target. */
      readonly input: (options: { readonly target: string }) => Record<string, unknown>;
      readonly output: (options: { readonly target: string }) => Record<string, unknown>;
    };
  };
}

/**
 * Options of `jsonSchema`: those of `compile`, but the schema itself says its dialect, since others will read it.
 * @stable
 */
export type JsonSchemaOptions = Omit<CompileOptions, "dialect">;

/**
 * Gives a JSON Schema the face of a Standard Schema. `T` is what you say that the schema describes.
 *
 * A value that exceeds a bound fails with an issue that says so. `default`s are filled in only with `options.defaults`.
 *
 * @throws {SchemaError} when the schema is invalid, of an unknown dialect, refers to what is not there, or has an unsafe pattern
 * @throws {LimitError} when the schema exceeds a bound
 * @stable
 */
export const jsonSchema = <T = unknown>(schema: JsonObject, options: JsonSchemaOptions = {}): JsonSchema<T> => {
  const validator = compile<T>(schema, options);
  const same = (): Record<string, unknown> => schema;
  const validate = (value: unknown): StandardResult<T> => {
    try {
      return validator.validate(value);
    } catch (error) {
      if (error instanceof LimitError) return { issues: [{ message: error.message, path: [] }] };
      throw error;
    }
  };
  return { "~standard": { version: 1, vendor: "parlance", validate, jsonSchema: { input: same, output: same } } };
};
