import type { JsonObject } from "../json.js";
import { draft07, vocabularies } from "../vocabulary.js";

const BASE = "https://json-schema.org/draft/2020-12/";
const TYPE: readonly string[] = ["object", "boolean"];

function metaSchemasOf2020(): Record<string, JsonObject> {
  const tables = Object.entries(vocabularies({ $dynamicRef: "#meta" }));
  const named = (name: string, rest: JsonObject): readonly [string, JsonObject] => [
    BASE + name,
    { $id: BASE + name, $dynamicAnchor: "meta", ...rest },
  ];
  const whole = named("schema", { allOf: tables.map(([name]) => ({ $ref: `meta/${name}` })) });
  const parts = tables.map(([name, properties]) => named(`meta/${name}`, { type: TYPE, properties }));
  return Object.fromEntries([whole, ...parts]);
}

/**
 * The meta-schemas of both dialects by their URI, for schemas that refer to them. For `options.documents`.
 * @stable
 */
export const metaSchemas: Readonly<Record<string, JsonObject>> = {
  ...metaSchemasOf2020(),
  "http://json-schema.org/draft-07/schema": { type: TYPE, properties: draft07({ $ref: "#" }) },
};
