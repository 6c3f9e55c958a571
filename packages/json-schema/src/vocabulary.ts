import { type JsonObject, KINDS } from "./json.js";

/** Keywords, each with what its value must look like, as a schema. */
export type Vocabulary = Readonly<Record<string, JsonObject>>;

const ANY: JsonObject = {};
const FLAG: JsonObject = { type: "boolean" };
const TEXT: JsonObject = { type: "string" };
const NUMBER: JsonObject = { type: "number" };
const COUNT: JsonObject = { type: "integer", minimum: 0 };
const LIST: JsonObject = { type: "array" };
const NAMES: JsonObject = { type: "array", items: TEXT, uniqueItems: true };
const NAME: JsonObject = { type: "string", pattern: "^[A-Za-z_][-A-Za-z0-9._]*$" };
const TYPE: JsonObject = { enum: KINDS };
const mapOf = (values: JsonObject): JsonObject => ({ type: "object", additionalProperties: values });
/** What it is when it is a list, and when it is not. Says more of a fault than `anyOf` would. */
// biome-ignore lint/suspicious/noThenProperty: the name of the keyword
const listOr = (list: JsonObject, other: JsonObject): JsonObject => ({ if: LIST, then: list, else: other });

/** The vocabularies of 2020-12, by the last part of their URI. `schema` refers to the meta-schema that they are part of. */
export function vocabularies(schema: JsonObject): Readonly<Record<string, Vocabulary>> {
  const schemas = { type: "array", minItems: 1, items: schema };
  const map = mapOf(schema);
  return {
    core: {
      $id: { type: "string", pattern: "^[^#]*#?$" },
      $schema: TEXT,
      $ref: TEXT,
      $anchor: NAME,
      $dynamicRef: TEXT,
      $dynamicAnchor: NAME,
      $vocabulary: mapOf(FLAG),
      $comment: TEXT,
      $defs: map,
      definitions: map,
      dependencies: mapOf(listOr(NAMES, schema)),
    },
    applicator: {
      prefixItems: schemas,
      items: schema,
      contains: schema,
      additionalProperties: schema,
      properties: map,
      patternProperties: map,
      dependentSchemas: map,
      propertyNames: schema,
      if: schema,
      // biome-ignore lint/suspicious/noThenProperty: the name of the keyword
      then: schema,
      else: schema,
      allOf: schemas,
      anyOf: schemas,
      oneOf: schemas,
      not: schema,
    },
    unevaluated: { unevaluatedItems: schema, unevaluatedProperties: schema },
    validation: {
      type: listOr({ items: TYPE, minItems: 1, uniqueItems: true }, TYPE),
      const: ANY,
      enum: LIST,
      multipleOf: { type: "number", exclusiveMinimum: 0 },
      maximum: NUMBER,
      exclusiveMaximum: NUMBER,
      minimum: NUMBER,
      exclusiveMinimum: NUMBER,
      maxLength: COUNT,
      minLength: COUNT,
      pattern: TEXT,
      maxItems: COUNT,
      minItems: COUNT,
      uniqueItems: FLAG,
      maxContains: COUNT,
      minContains: COUNT,
      maxProperties: COUNT,
      minProperties: COUNT,
      required: NAMES,
      dependentRequired: mapOf(NAMES),
    },
    "meta-data": {
      title: TEXT,
      description: TEXT,
      default: ANY,
      deprecated: FLAG,
      readOnly: FLAG,
      writeOnly: FLAG,
      examples: LIST,
    },
    "format-annotation": { format: TEXT },
    content: { contentEncoding: TEXT, contentMediaType: TEXT, contentSchema: schema },
  };
}

const ONLY_2020 =
  /^(\$anchor|\$dynamic.*|\$vocabulary|\$defs|prefixItems|dependent.*|unevaluated.*|(min|max)Contains|deprecated|contentSchema)$/;

/** The keywords of draft-07: those of 2020-12, as far as they were there, and two that were different. */
export function draft07(schema: JsonObject): Vocabulary {
  const kept = Object.values(vocabularies(schema)).flatMap((vocabulary) =>
    Object.entries(vocabulary).filter(([name]) => !ONLY_2020.test(name)),
  );
  const items = listOr({ minItems: 1, items: schema }, schema);
  return { ...Object.fromEntries(kept), $id: TEXT, items, additionalItems: schema };
}
