import { type JsonObject, LocalError } from "@parlance/jsonrpc";
import { excerpt } from "@parlance/jsonrpc/codec";

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

/** The schema of a tool that takes no arguments. */
export const noInput: Schema<Record<string, never>> = {
  "~standard": {
    version: 1,
    vendor: "parlance",
    validate: (args) => {
      const unknown = Object.keys(Object(args));
      if (unknown.length === 0) return { value: {} };
      return { issues: unknown.map((key) => ({ path: [key], message: "this tool takes no arguments" })) };
    },
    jsonSchema: { input: noParameters, output: noParameters },
  },
};

function noParameters(): JsonObject {
  return { type: "object", additionalProperties: false };
}

/**
 * The JSON Schema of one face. Arguments are an object, and the root must say so: a union of objects converts to a bare
 * `anyOf`.
 * @throws LocalError `INVALID_ARGUMENT` when there is none, or an input is of something else
 */
export function toJsonSchema(tool: string, face: Face, schema: Schema): JsonObject {
  try {
    // a bare JSON Schema, or a library without that face
    const faces = schema?.["~standard"]?.jsonSchema;
    if (faces === undefined) throw new TypeError("it is no Standard Schema that gives JSON Schema");
    const json = faces[face]({ target: "draft-2020-12" });
    const { type = "object" } = json;
    if (face === "output" || json["type"] === "object") return json;
    if (type === "object") return { type, ...json };
    throw new TypeError(`its type is ${excerpt(type)} and should be "object"`);
  } catch (cause) {
    const right = "z.object() of zod 4.2, toStandardJsonSchema() of Valibot and jsonSchema({ … }) can";
    const message = `the ${face} of tool "${tool}" cannot be listed: ${cause}; ${right}`;
    throw new LocalError("INVALID_ARGUMENT", message, { cause });
  }
}
