import type { JsonObject } from "../json.js";
import type { Vocabulary } from "../keyword.js";
import { SCHEMA } from "../shapes.js";
import { DRAFT_07 } from "../vocabulary.js";
import { VOCABULARIES } from "./vocabularies.js";

const BASE = "https://json-schema.org/draft/2020-12/";

/** What the keywords must look like, with a reference to the whole where a subschema stands. */
function shapesOf(vocabulary: Vocabulary, reference: JsonObject): JsonObject {
  const shapes = Object.entries(vocabulary).map(([name, [shape]]) => [name, shape]);
  const text = JSON.stringify({ ...SCHEMA, properties: Object.fromEntries(shapes) });
  return JSON.parse(text.replaceAll(JSON.stringify(SCHEMA), JSON.stringify(reference)));
}

function metaSchemasOf2020(): Record<string, JsonObject> {
  const tables = Object.entries(VOCABULARIES);
  const named = (name: string, rest: JsonObject): readonly [string, JsonObject] => [
    BASE + name,
    { $id: BASE + name, $dynamicAnchor: "meta", ...rest },
  ];
  const whole = named("schema", { allOf: tables.map(([name]) => ({ $ref: `meta/${name}` })) });
  const parts = tables.map(([name, table]) => named(`meta/${name}`, shapesOf(table, { $dynamicRef: "#meta" })));
  return Object.fromEntries([whole, ...parts]);
}

/**
 * The meta-schemas of both dialects by their URI, for schemas that refer to them. For `options.documents`.
 * @stable
 */
export const metaSchemas: Readonly<Record<string, JsonObject>> = {
  ...metaSchemasOf2020(),
  "http://json-schema.org/draft-07/schema": shapesOf(DRAFT_07, { $ref: "#" }),
};

export { customDialects } from "./custom-dialects.js";
