import type { CompileOptions, Validator } from "./compile.js";
import { SchemaError } from "./errors.js";
import { type JsonObject, own } from "./json.js";
import type { Keyword, Vocabulary } from "./keyword.js";
import { SCHEMA } from "./shapes.js";
import { DRAFT_07, DRAFT_2020_12 } from "./vocabulary.js";
import { show } from "./wording.js";

/**
 * The dialects of JSON Schema that are spoken.
 * @stable
 */
export type DialectName = "2020-12" | "draft-07";

/** What a dialect knows of keywords. */
export interface Dialect {
  /** Draft-07: a `$ref` stands alone, and `$id` may name an anchor. */
  readonly isLegacy: boolean;
  readonly keywords: ReadonlyMap<string, Keyword>;
  /** Those that hold subschemas: in a map (`true`), or as one or a list (`false`). */
  readonly holders: ReadonlyMap<string, boolean>;
  /** What a schema must look like, subschemas apart. */
  readonly metaSchema: JsonObject;
  /** Tells what is wrong with a schema; made when it is first asked. */
  verifier?: Validator | undefined;
}

/**
 * Finds the dialect that a `$schema` of somebody's own names, if it does. There is one, which
 * `@parlance/json-schema/meta-schemas` exports.
 * @stable
 */
export type CustomDialects = (uri: string, location: string, options: CompileOptions) => Dialect | undefined;

const MARK = JSON.stringify(SCHEMA);

/** Makes a dialect of a table of keywords. */
export const dialectOf = (table: Vocabulary, isLegacy = false): Dialect => {
  const keywords = Object.entries(table);
  const shapes = keywords.map(([name, [shape]]) => [name, shape] as const);
  const holders = shapes.filter(([, shape]) => JSON.stringify(shape).includes(MARK));
  return {
    isLegacy,
    keywords: new Map(keywords),
    holders: new Map(holders.map(([name, shape]) => [name, shape["type"] === "object"])),
    metaSchema: { ...SCHEMA, properties: Object.fromEntries(shapes) },
  };
};

const DIALECTS: Readonly<Record<DialectName, Dialect>> = {
  "2020-12": dialectOf(DRAFT_2020_12),
  "draft-07": dialectOf(DRAFT_07, true),
};

/**
 * By its URI, or by its name.
 * @throws {SchemaError} `UNKNOWN_DIALECT`
 */
export const dialectFor = (uri: string, location: string, options: CompileOptions): Dialect => {
  const name = uri.replace(/^https?:\/\/json-schema\.org\/(draft\/)?|\/schema#?$/g, "");
  const dialect = own(DIALECTS, name) ?? options.customDialects?.(uri, location, options);
  if (dialect !== undefined) return dialect;
  const message = `$schema ${show(uri)} is not supported; 2020-12 and draft-07 are`;
  throw new SchemaError("UNKNOWN_DIALECT", `${location}/$schema`, message);
};
