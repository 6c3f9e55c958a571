import type { JsonObject } from "@parlance/jsonrpc";
import { RegistryError } from "./error.js";
import { kindOf } from "./json.js";

/**
 * One thing that a schema found wrong.
 * @see Standard Schema 1, `StandardSchemaV1.Issue`
 * @stable
 */
export interface Issue {
  readonly message: string;
  /** Where it is, from the root: keys, or objects that hold one. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/**
 * What a validation came to: a value, or what is wrong.
 * @see Standard Schema 1, `StandardSchemaV1.Result`
 * @stable
 */
export type Validated<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] };

/**
 * The way a schema is asked for its JSON Schema.
 * @see Standard JSON Schema 1
 * @stable
 */
export interface JsonSchemaFaces {
  /** What goes in. May throw when there is no JSON Schema for it. */
  readonly input: (options: { readonly target: "draft-2020-12" }) => JsonObject;
  /** What comes out, transformed and with defaults. */
  readonly output: (options: { readonly target: "draft-2020-12" }) => JsonObject;
}

/**
 * A schema of any library that validates by Standard Schema and gives JSON Schema by Standard JSON Schema.
 * Zod and ArkType schemas are such; Valibot makes one with `toStandardJsonSchema`, raw JSON Schema is made one by `jsonSchema`.
 * @see https://standardschema.dev
 * @stable
 */
export interface Schema<Output = unknown, Input = unknown> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => Validated<Output> | Promise<Validated<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    readonly jsonSchema: JsonSchemaFaces;
  };
}

/**
 * The side of a schema that a tool lists: what `arguments` may be, what `structuredContent` will be.
 * @stable
 */
export type Face = "input" | "output";

const target = { target: "draft-2020-12" } as const;

// Memoized by schema, not by tool: a registry made anew by a factory converts nothing again.
const converted = { input: new WeakMap<object, JsonObject>(), output: new WeakMap<object, JsonObject>() };

/**
 * Checks that a schema has both faces, without converting it.
 * @throws RegistryError `INVALID_SCHEMA`
 */
export function checkSchema(tool: string, face: Face, schema: Schema | undefined): void {
  if (schema === undefined) return;
  const standard: Partial<Schema["~standard"]> | undefined = schema?.["~standard"];
  const validates = typeof standard?.validate === "function";
  if (validates && typeof standard.jsonSchema?.[face] === "function") return;
  const fault = validates
    ? `gives no JSON Schema; zod does from 4.2 on, Valibot in toStandardJsonSchema(), others (here "${standard.vendor}") need "~standard".jsonSchema`
    : "is no Standard Schema; wrap a shape in z.object(), raw JSON Schema in jsonSchema()";
  throw new RegistryError("INVALID_SCHEMA", `The ${face} of tool "${tool}" ${fault}`, { tool });
}

/**
 * The JSON Schema of one face, converted once in the schema's life.
 * @throws what the schema's library throws when there is none
 */
export function toJsonSchema(face: Face, schema: Schema): JsonObject {
  const known = converted[face].get(schema);
  if (known !== undefined) return known;
  const json = schema["~standard"].jsonSchema[face](target);
  converted[face].set(schema, json);
  return json;
}

/**
 * The JSON Schema of a tool's arguments. They are an object, and its root must say so: a union of objects converts to a bare `anyOf`.
 * @throws RegistryError `INVALID_SCHEMA` when there is none, or it is of something else
 */
export function toInputSchema(tool: string, schema: Schema): JsonObject {
  let fault: string;
  let cause: unknown;
  try {
    const json = toJsonSchema("input", schema);
    const { type } = json;
    if (type === "object") return json;
    if (type === undefined) return { type: "object", ...json };
    fault = `must be an object at its root, not ${kindOf(type)}`;
  } catch (error) {
    cause = error;
    fault = `has no JSON Schema: ${error instanceof Error ? error.message : String(error)}`;
  }
  throw new RegistryError("INVALID_SCHEMA", `The input of tool "${tool}" ${fault}`, { tool, cause });
}
