import { type CustomDialects, dialectFor, dialectOf } from "../dialect.js";
import { SchemaError } from "../errors.js";
import { isString, type JsonObject, own } from "../json.js";
import { show } from "../wording.js";
import { VOCABULARIES } from "./vocabularies.js";

/**
 * Lets `$schema` name a meta-schema that is among `options.documents`: it makes a dialect of the vocabularies of
 * 2020-12 that it lists. For `options.customDialects`.
 *
 * @throws {SchemaError} `UNKNOWN_DIALECT` when it requires a vocabulary that is not one of 2020-12
 * @stable
 */
export const customDialects: CustomDialects = (uri, location, { documents = {}, formats }) => {
  const { $schema, $vocabulary }: JsonObject = Object(own(documents, uri.replace(/#$/, "")));
  if (!isString($schema)) return undefined;
  const base = dialectFor($schema, location, {});
  if ($vocabulary === undefined) return base;
  const tables = Object.entries(Object($vocabulary)).map(([vocabulary, isRequired]) => {
    // that of assertion is the one of annotation: what is asserted, the options say
    const name = vocabulary.replace(/.*\/2020-12\/vocab\//, "");
    const table = own(VOCABULARIES, formats ? name.replace("assertion", "annotation") : name);
    if (table !== undefined || isRequired !== true) return table ?? {};
    const message = `$schema ${show(uri)} requires ${show(vocabulary)}, which is not supported; the vocabularies of 2020-12 are`;
    throw new SchemaError("UNKNOWN_DIALECT", `${location}/$schema`, message);
  });
  return dialectOf(Object.assign({}, ...tables));
};
