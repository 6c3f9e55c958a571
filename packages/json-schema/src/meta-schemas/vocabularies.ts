import type { Vocabulary } from "../keyword.js";
import { DRAFT_2020_12 } from "../vocabulary.js";

/** The keywords of each vocabulary of 2020-12, by the last part of its URI. Those of its past are in the core. */
const NAMES = {
  core: "$id $schema $ref $anchor $dynamicRef $dynamicAnchor $vocabulary $comment $defs definitions dependencies",
  applicator:
    "prefixItems items contains additionalProperties properties patternProperties dependentSchemas propertyNames if then else allOf anyOf oneOf not",
  unevaluated: "unevaluatedItems unevaluatedProperties",
  validation:
    "type const enum multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems uniqueItems maxContains minContains maxProperties minProperties required dependentRequired",
  "meta-data": "title description default deprecated readOnly writeOnly examples",
  "format-annotation": "format",
  content: "contentEncoding contentMediaType contentSchema",
};

/** The keywords of 2020-12, by the names of their vocabularies. */
export const VOCABULARIES: Readonly<Record<string, Vocabulary>> = Object.fromEntries(
  Object.entries(NAMES).map(([vocabulary, names]) => {
    const isIn = new Set(names.split(" "));
    return [vocabulary, Object.fromEntries(Object.entries(DRAFT_2020_12).filter(([name]) => isIn.has(name)))];
  }),
);
