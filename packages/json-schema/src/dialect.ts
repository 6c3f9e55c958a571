import type { Validator } from "./compile.js";
import { SchemaError } from "./errors.js";
import { type JsonObject, own } from "./json.js";
import type { Keyword, Vocabulary } from "./keyword.js";
import { SCHEMA } from "./shapes.js";
import { DRAFT_07, VOCABULARIES } from "./vocabulary.js";
import { show } from "./wording.js";

/**
 * The dialects of JSON Schema that are spoken.
 * @stable
 */
export type DialectName = "2020-12" | "draft-07";

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

const MARK = JSON.stringify(SCHEMA);

export const DIALECTS: Readonly<Record<DialectName, Dialect>> = {
  "2020-12": dialectOf(Object.values(VOCABULARIES)),
  "draft-07": dialectOf([DRAFT_07], true),
};

function dialectOf(tables: readonly Vocabulary[], isLegacy = false): Dialect {
  const keywords = tables.flatMap((table) => Object.entries(table));
  const shapes = keywords.map(([name, [shape]]) => [name, shape] as const);
  const holders = shapes.filter(([, shape]) => JSON.stringify(shape).includes(MARK));
  return {
    isLegacy,
    keywords: new Map(keywords),
    holders: new Map(holders.map(([name, shape]) => [name, shape["type"] === "object"])),
    metaSchema: { ...SCHEMA, properties: Object.fromEntries(shapes) },
  };
}

function dialectAt(uri: unknown): Dialect | undefined {
  const found = /^https?:\/\/json-schema\.org\/(?:draft\/(2020-12)|(draft-07))\/schema#?$/.exec(String(uri));
  return found === null ? undefined : DIALECTS[found[1] ? "2020-12" : "draft-07"];
}

/**
 * The dialect that a `$schema` names: one of ours, or 2020-12 with the vocabularies that a meta-schema handed in lists.
 * @throws {SchemaError} `UNKNOWN_DIALECT`
 */
export function dialectFor(uri: string, location: string, documents: JsonObject, assertsFormats: boolean): Dialect {
  const { $schema, $vocabulary }: JsonObject = Object(own(documents, uri.replace(/#$/, "")));
  const base = dialectAt($schema);
  const known = dialectAt(uri) ?? ($vocabulary ? undefined : base);
  if (known !== undefined) return known;
  let unknown = base ? "" : show(uri);
  const tables = Object.entries(Object($vocabulary)).map(([vocabulary, isRequired]) => {
    // that of assertion is the one of annotation: what is asserted, the options say
    const name = vocabulary.replace(/.*\/2020-12\/vocab\//, "");
    const table = own(VOCABULARIES, assertsFormats ? name.replace("assertion", "annotation") : name);
    if (table === undefined && isRequired === true) unknown ||= `${show(uri)} requires ${show(vocabulary)}, which`;
    return table ?? {};
  });
  if (unknown === "") return dialectOf(tables);
  const message = `$schema ${unknown} is not supported; 2020-12 and draft-07 are, and what options.documents makes of 2020-12`;
  throw new SchemaError("UNKNOWN_DIALECT", `${location}/$schema`, message);
}
