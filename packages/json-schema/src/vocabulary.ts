import { isMultiple } from "./decimal.js";
import type { Vocabulary } from "./keyword.js";
import { contains, items } from "./keywords/array.js";
import { among, characters, compare, count, format, LEAST, MOST, pattern, uniqueItems } from "./keywords/assertions.js";
import { allOf, choice, condition, not } from "./keywords/logic.js";
import { dependencies, members, present, propertyNames } from "./keywords/object.js";
import { reference } from "./keywords/reference.js";
import {
  ANY,
  COUNT,
  FLAG,
  LIST,
  listOr,
  MAP,
  mapOf,
  NAME,
  NAMES,
  NUMBER,
  SCHEMA,
  SCHEMAS,
  TEXT,
  TYPE,
} from "./shapes.js";

/** What both dialects have, but for annotations that neither a check nor a reader of the schema needs. */
const SHARED: Vocabulary = {
  $schema: [TEXT],
  definitions: [MAP],
  $ref: [TEXT, reference(false)],
  type: [TYPE],
  const: [ANY, among("be ")],
  enum: [LIST, among("be one of ")],
  minimum: [NUMBER, compare(LEAST), "number"],
  maximum: [NUMBER, compare(MOST), "number"],
  exclusiveMinimum: [NUMBER, compare(["above", (value, limit) => value > limit]), "number"],
  exclusiveMaximum: [NUMBER, compare(["below", (value, limit) => value < limit]), "number"],
  multipleOf: [{ ...NUMBER, exclusiveMinimum: 0 }, compare(["a multiple of", isMultiple]), "number"],
  minLength: [COUNT, count(LEAST, "character", characters), "string"],
  maxLength: [COUNT, count(MOST, "character", characters), "string"],
  pattern: [TEXT, pattern, "string"],
  format: [TEXT, format, "string"],
  items: [SCHEMA, items, "array"],
  contains: [SCHEMA, contains, "array"],
  minItems: [COUNT, count(LEAST, "item"), "array"],
  maxItems: [COUNT, count(MOST, "item"), "array"],
  uniqueItems: [FLAG, uniqueItems, "array"],
  properties: [MAP, members, "object"],
  patternProperties: [MAP, members, "object"],
  additionalProperties: [SCHEMA, members, "object"],
  required: [NAMES, members, "object"],
  propertyNames: [SCHEMA, propertyNames, "object"],
  minProperties: [COUNT, count(LEAST, "member", present), "object"],
  maxProperties: [COUNT, count(MOST, "member", present), "object"],
  dependencies: [mapOf(listOr(NAMES, SCHEMA)), dependencies(), "object"],
  if: [SCHEMA, condition],
  // biome-ignore lint/suspicious/noThenProperty: the name of the keyword
  then: [SCHEMA],
  else: [SCHEMA],
  allOf: [SCHEMAS, allOf],
  anyOf: [SCHEMAS, choice(false)],
  oneOf: [SCHEMAS, choice(true)],
  not: [SCHEMA, not],
  title: [TEXT],
  description: [TEXT],
};

export const DRAFT_2020_12: Vocabulary = {
  ...SHARED,
  $id: [{ ...TEXT, pattern: "^[^#]*#?$" }],
  $anchor: [NAME],
  $dynamicAnchor: [NAME],
  $defs: [MAP],
  $dynamicRef: [TEXT, reference(true)],
  prefixItems: [SCHEMAS, items, "array"],
  minContains: [COUNT],
  maxContains: [COUNT],
  unevaluatedItems: [SCHEMA],
  dependentRequired: [mapOf(NAMES), dependencies(), "object"],
  dependentSchemas: [MAP, dependencies(), "object"],
  unevaluatedProperties: [SCHEMA],
  contentSchema: [SCHEMA],
};

export const DRAFT_07: Vocabulary = {
  ...SHARED,
  $id: [TEXT],
  items: [listOr(SCHEMAS, SCHEMA), items, "array"],
  additionalItems: [SCHEMA, items, "array"],
};
