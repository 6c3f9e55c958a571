import { isObject, type JsonObject, own } from "./json.js";
import { draft07, type Vocabulary, vocabularies } from "./vocabulary.js";

/**
 * The dialects of JSON Schema that are spoken.
 * @stable
 */
export type DialectName = "2020-12" | "draft-07";

export interface Dialect {
  readonly name: DialectName;
  /** Its keywords, with what their values must look like, as a schema. */
  readonly keywords: Vocabulary;
  /** Those that hold subschemas: in a map (`true`), or as one or a list (`false`). */
  readonly holders: ReadonlyMap<string, boolean>;
  /** `format` is an assertion here, whatever the options say. */
  readonly assertsFormat: boolean;
}

const BASE = "https://json-schema.org/draft/2020-12/";
const DRAFT_07 = "http://json-schema.org/draft-07/schema";
const VOCABULARY = `${BASE}vocab/`;
const ASSERTION = "format-assertion";
const ANNOTATION = "format-annotation";

/** Stands for a subschema. One that is a resource of its own dialect is looked at apart, in that. */
const SUBSCHEMA: JsonObject = { if: { type: "object", required: ["$schema", "$id"] }, else: { $ref: "#" } };
const KNOWN = vocabularies(SUBSCHEMA);
const STANDARD = dialect("2020-12", Object.values(KNOWN));
const LEGACY = dialect("draft-07", [draft07(SUBSCHEMA)]);

function dialect(name: DialectName, vocabularies: readonly Vocabulary[], assertsFormat = false): Dialect {
  const keywords: Vocabulary = Object.assign({}, ...vocabularies);
  const holders = new Map<string, boolean>();
  for (const [keyword, shape] of Object.entries(keywords)) {
    if (JSON.stringify(shape).includes("$ref")) holders.set(keyword, own(shape, "type") === "object");
  }
  return { name, keywords, holders, assertsFormat };
}

export function dialectNamed(name: DialectName): Dialect {
  return name === "draft-07" ? LEGACY : STANDARD;
}

/** The dialect that a `$schema` names, if it is one of ours. */
export function dialectOf(uri: unknown): Dialect | undefined {
  const found = /^https?:\/\/json-schema\.org\/draft(?:\/2020-12|(-07))\/schema#?$/.exec(String(uri));
  return found === null ? undefined : dialectNamed(found[1] === undefined ? "2020-12" : "draft-07");
}

/** 2020-12 with the vocabularies that a meta-schema lists, or the URI of one that it requires and that we have not. */
export function dialectWith(listed: JsonObject, assertsFormat: boolean): Dialect | string {
  const keywords: Vocabulary[] = [];
  let asserts = false;
  for (const [uri, isRequired] of Object.entries(listed)) {
    const name = uri.startsWith(VOCABULARY) ? uri.slice(VOCABULARY.length) : "";
    const isAssertion = name === ASSERTION && assertsFormat;
    const vocabulary = own(KNOWN, isAssertion ? ANNOTATION : name);
    if (isObject(vocabulary)) keywords.push(KNOWN[isAssertion ? ANNOTATION : name] ?? {});
    else if (isRequired === true) return uri;
    asserts ||= isAssertion;
  }
  return dialect("2020-12", keywords, asserts);
}

/** What a schema must look like in a dialect. */
export function metaSchema(keywords: Vocabulary): JsonObject {
  return { type: ["object", "boolean"], properties: keywords };
}

/** The meta-schemas by their URI, for schemas that refer to them. */
export function metaDocument(uri: string): JsonObject | undefined {
  if (uri === DRAFT_07) return metaSchema(draft07({ $ref: "#" }));
  if (!uri.startsWith(BASE)) return undefined;
  const named = { $id: uri, $dynamicAnchor: "meta" };
  const parts = vocabularies({ $dynamicRef: "#meta" });
  if (uri === `${BASE}schema`) return { ...named, allOf: Object.keys(parts).map((name) => ({ $ref: `meta/${name}` })) };
  const part = Object.entries(parts).find(([name]) => uri.replace(ASSERTION, ANNOTATION) === `${BASE}meta/${name}`);
  return part && { ...named, ...metaSchema(part[1]) };
}
