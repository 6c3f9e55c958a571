import { pass } from "./check.js";
import type { CompileOptions } from "./compile.js";
import { DIALECTS, dialectFor } from "./dialect.js";
import { SchemaError } from "./errors.js";
import { isArray, isString, type JsonObject, own, step } from "./json.js";
import { type AllLimits, within } from "./limits.js";
import { measure } from "./measure.js";
import { isSchema, type Place } from "./resource.js";
import { NAMELESS, resolve } from "./uri.js";
import { show } from "./wording.js";

/** All schemas in reach: those of the main document, and of others as far as they were needed. */
export interface Registry {
  /** The main document. */
  readonly root: Place;
  /** Each after those below it; what a reference leads to may add some. */
  readonly places: readonly Place[];
  /** @throws {SchemaError} `UNRESOLVED_REFERENCE` */
  find(from: Place, keyword: string, reference: string): Place;
}

export function createRegistry(
  content: unknown,
  { documents = {}, formats, dialect: name = "2020-12" }: CompileOptions,
  limits: AllLimits,
): Registry {
  const tally = { size: 0, subschemas: 0 };
  const places: Place[] = [];
  const located = new Map<string, Place>();
  const roots = new Map<string, Place>();
  const waiting = new Map(
    Object.entries(documents).map(([uri, document]) => [resolve(uri, NAMELESS)?.uri ?? uri, document]),
  );

  function open(uri: string, schema: unknown): Place {
    waiting.delete(uri);
    measure(schema, limits, tally);
    const place = visit(schema, uri === NAMELESS ? "#" : `${uri}#`, undefined, uri);
    if (!roots.has(uri)) roots.set(uri, place);
    return place;
  }

  /** Enters a schema and all below it. Where it has a URI of its own it is a resource. */
  function visit(schema: unknown, location: string, parent: Place | undefined, base: string): Place {
    within(limits, "subschemas", ++tally.subschemas, "TOO_MANY_SUBSCHEMAS");
    const { $id, $schema, $anchor, $dynamicAnchor, $ref }: JsonObject = Object(schema);
    const dialect =
      isString($schema) && (parent === undefined || isString($id))
        ? dialectFor($schema, location, documents, formats !== undefined)
        : (parent?.resource.dialect ?? DIALECTS[name]);
    const { isLegacy } = dialect;
    const target = resolve(isString($id) && !(isLegacy && $ref !== undefined) ? $id : "", base);
    if (target === undefined) {
      throw new SchemaError("INVALID_SCHEMA", `${location}/$id`, `$id must be a URI reference; got ${show($id)}`);
    }
    const { uri, fragment } = target;
    const isEmbedded = parent !== undefined && uri !== base;
    const resource =
      parent === undefined || isEmbedded ? { dialect, anchors: new Map<string, Place>(), uri } : parent.resource;
    const { anchors } = resource;
    const place: Place = {
      schema,
      resource,
      location,
      isEmbedded,
      depth: 1 + (parent?.depth ?? 0),
      below: new Map(),
      check: pass,
      plain: 0,
    };
    located.set(location, place);
    // documents may share a URI, of which the first counts
    if (!roots.has(uri)) roots.set(uri, place);
    for (const anchor of [fragment, $anchor, $dynamicAnchor]) {
      if (!isString(anchor) || anchor === "") continue;
      if (anchors.has(anchor)) throw new SchemaError("INVALID_SCHEMA", location, `${show(anchor)} is given twice`);
      anchors.set(anchor, place);
      if (anchor === $dynamicAnchor) anchors.set(`#${anchor}`, place);
    }
    for (const [keyword, value] of Object.entries(Object(schema))) {
      const isMap = resource.dialect.holders.get(keyword);
      if (isMap === undefined) continue;
      const at = `${location}/${keyword}`;
      const held: (readonly [string, unknown, string])[] =
        isMap || isArray(value)
          ? Object.entries(Object(value)).map(([key, member]) => [key, member, step(at, key)])
          : [["", value, at]];
      place.below.set(
        keyword,
        held.flatMap(([key, member, where]) => (isSchema(member) ? [[key, visit(member, where, place, uri)]] : [])),
      );
    }
    places.push(place);
    return place;
  }

  function find(from: Place, keyword: string, reference: string): Place {
    const { uri = reference, fragment = "" } = resolve(reference, from.resource.uri) ?? {};
    // it may be embedded in a document with another URI
    for (const other of [uri, ...waiting.keys()]) {
      if (!roots.has(uri) && waiting.has(other)) open(other, waiting.get(other));
    }
    const root = roots.get(uri);
    const place = root && follow(root, fragment);
    if (place !== undefined) return place;
    const reason = root
      ? `there is no schema ${show(fragment)} in it`
      : `${uri} is not here, and nothing is fetched: pass it in options.documents`;
    const message = `${keyword} ${show(reference)} leads nowhere; ${reason}`;
    throw new SchemaError("UNRESOLVED_REFERENCE", step(from.location, keyword), message);
  }

  function follow(root: Place, fragment: string): Place | undefined {
    if (!/^(\/|$)/.test(fragment)) return root.resource.anchors.get(fragment);
    const location = root.location + fragment;
    let value = root.schema;
    for (const segment of fragment.split("/").slice(1)) {
      value = own(Object(value), segment.replaceAll("~1", "/").replaceAll("~0", "~"));
    }
    // one that is not where schemas are looked for, such as below an unknown keyword, is one all the same
    return located.get(location) ?? (isSchema(value) ? visit(value, location, root, root.resource.uri) : undefined);
  }

  return { root: open(NAMELESS, content), places, find };
}
