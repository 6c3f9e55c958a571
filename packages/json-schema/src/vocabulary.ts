import type { Vocabulary } from "./keyword.js";
import { ARRAYS, items } from "./keywords/array.js";
import { ASSERTIONS, FORMAT } from "./keywords/assertions.js";
import { LOGIC } from "./keywords/logic.js";
import { dependencies, NEEDS, OBJECTS } from "./keywords/object.js";
import { REFERENCES } from "./keywords/reference.js";
import { ANY, FLAG, LIST, listOr, MAP, mapOf, NAME, NAMES, SCHEMA, SCHEMAS, TEXT } from "./shapes.js";

export const CORE: Vocabulary = {
  $id: [{ ...TEXT, pattern: "^[^#]*#?$" }],
  $schema: [TEXT],
  $anchor: [NAME],
  $dynamicAnchor: [NAME],
  $vocabulary: [mapOf(FLAG)],
  $comment: [TEXT],
  $defs: [MAP],
  definitions: [MAP],
  dependencies: [mapOf(listOr(NAMES, SCHEMA)), dependencies(), "object"],
  ...REFERENCES,
};
export const APPLICATORS: Vocabulary = { ...ARRAYS, ...OBJECTS, ...LOGIC };
export const UNEVALUATED: Vocabulary = { unevaluatedItems: [SCHEMA], unevaluatedProperties: [SCHEMA] };
export const VALIDATION: Vocabulary = { ...ASSERTIONS, ...NEEDS };
export const META_DATA: Vocabulary = {
  title: [TEXT],
  description: [TEXT],
  default: [ANY],
  deprecated: [FLAG],
  readOnly: [FLAG],
  writeOnly: [FLAG],
  examples: [LIST],
};
export const CONTENT: Vocabulary = { contentEncoding: [TEXT], contentMediaType: [TEXT], contentSchema: [SCHEMA] };

export const DRAFT_2020_12: Vocabulary = {
  ...CORE,
  ...APPLICATORS,
  ...UNEVALUATED,
  ...VALIDATION,
  ...META_DATA,
  ...FORMAT,
  ...CONTENT,
};

const ONLY_2020 = /^(\$[adv]|prefix|depr|dependent|unev)|Contains|contentS/;

/** The keywords of draft-07: those of 2020-12, as far as they were there, and a few that were different. */
export const DRAFT_07: Vocabulary = {
  ...Object.fromEntries(Object.entries(DRAFT_2020_12).filter(([name]) => !ONLY_2020.test(name))),
  $id: [TEXT],
  items: [listOr(SCHEMAS, SCHEMA), items, "array"],
  additionalItems: [SCHEMA, items, "array"],
};
