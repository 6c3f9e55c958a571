import type { Vocabulary } from "./keyword.js";
import { ARRAYS, items } from "./keywords/array.js";
import { ASSERTIONS, FORMAT } from "./keywords/assertions.js";
import { LOGIC } from "./keywords/logic.js";
import { dependencies, NEEDS, OBJECTS } from "./keywords/object.js";
import { REFERENCES } from "./keywords/reference.js";
import { ANY, FLAG, LIST, listOr, MAP, mapOf, NAME, NAMES, SCHEMA, SCHEMAS, TEXT } from "./shapes.js";

/** The vocabularies of 2020-12, by the last part of their URI. */
export const VOCABULARIES: Readonly<Record<string, Vocabulary>> = {
  core: {
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
  },
  applicator: { ...ARRAYS, ...OBJECTS, ...LOGIC },
  unevaluated: { unevaluatedItems: [SCHEMA], unevaluatedProperties: [SCHEMA] },
  validation: { ...ASSERTIONS, ...NEEDS },
  "meta-data": {
    title: [TEXT],
    description: [TEXT],
    default: [ANY],
    deprecated: [FLAG],
    readOnly: [FLAG],
    writeOnly: [FLAG],
    examples: [LIST],
  },
  "format-annotation": FORMAT,
  content: { contentEncoding: [TEXT], contentMediaType: [TEXT], contentSchema: [SCHEMA] },
};

const ONLY_2020 = /^(\$[adv]|prefix|depr|dependent|unev)|Contains|contentS/;

/** The keywords of draft-07: those of 2020-12, as far as they were there, and a few that were different. */
export const DRAFT_07: Vocabulary = {
  ...Object.fromEntries(
    Object.values(VOCABULARIES)
      .flatMap((vocabulary) => Object.entries(vocabulary))
      .filter(([name]) => !ONLY_2020.test(name)),
  ),
  $id: [TEXT],
  items: [listOr(SCHEMAS, SCHEMA), items, "array"],
  additionalItems: [SCHEMA, items, "array"],
};
