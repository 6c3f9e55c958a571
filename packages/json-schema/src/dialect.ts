import type { Validator } from "./compile.js";
import { type JsonObject, own } from "./json.js";
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
  /** Tells what is wrong with a schema; made when it is first asked. */
  verifier?: Validator | undefined;
}

const VOCABULARY = "https://json-schema.org/draft/2020-12/vocab/";

/** Stands for a subschema: each is looked at apart, in its dialect. */
const SUBSCHEMA: JsonObject = { type: ["object", "boolean"] };

const MARK = JSON.stringify(SUBSCHEMA);

const known = new Map(Object.entries(vocabularies(SUBSCHEMA)));
const standard: Dialect = dialectOf("2020-12", [...known.values()]);
const legacy: Dialect = dialectOf("draft-07", [draft07(SUBSCHEMA)]);

function dialectOf(name: DialectName, tables: readonly Vocabulary[]): Dialect {
  const keywords: Vocabulary = Object.assign({}, ...tables);
  const holders = new Map<string, boolean>();
  for (const [keyword, shape] of Object.entries(keywords)) {
    if (JSON.stringify(shape).includes(MARK)) holders.set(keyword, own(shape, "type") === "object");
  }
  return { name, keywords, holders };
}

export function dialectNamed(name: DialectName): Dialect {
  return name === "draft-07" ? legacy : standard;
}

/** The dialect that a `$schema` names, if it is one of ours. */
export function nameOf(uri: unknown): DialectName | undefined {
  const found = /^https?:\/\/json-schema\.org\/(?:draft\/(2020-12)|(draft-07))\/schema#?$/.exec(String(uri));
  return found === null ? undefined : found[1] === undefined ? "draft-07" : "2020-12";
}

/** 2020-12 with the vocabularies that a meta-schema lists, or the URI of one that it requires and that we have not. */
export function dialectWith(listed: JsonObject, assertsFormats: boolean): Dialect | string {
  const tables: Vocabulary[] = [];
  for (const [uri, isRequired] of Object.entries(listed)) {
    // that of assertion is the one of annotation: what is asserted, the options say
    const name = uri.replace(VOCABULARY, "");
    const table = known.get(assertsFormats ? name.replace("assertion", "annotation") : name);
    if (table !== undefined) tables.push(table);
    else if (isRequired === true) return uri;
  }
  return dialectOf("2020-12", tables);
}

/** What a schema must look like in a dialect, subschemas apart. */
export function metaSchema(keywords: Vocabulary): JsonObject {
  return { ...SUBSCHEMA, properties: keywords };
}
