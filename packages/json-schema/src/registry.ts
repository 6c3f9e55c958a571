import { canonical } from "./canonical.js";
import { pass } from "./check.js";
import type { CompileOptions } from "./compile.js";
import { dialectFor } from "./dialect.js";
import { SchemaError } from "./errors.js";
import { isArray, isObject, isString, type JsonObject, own, step } from "./json.js";
import { type Budget, within } from "./limits.js";
import type { Place } from "./place.js";
import { NAMELESS, resolve } from "./uri.js";
import { show } from "./wording.js";

/** Finds what a reference leads to. Throws `UNRESOLVED_REFERENCE`. */
export type Find = (from: Place, keyword: string, reference: string) => Place;

/** All schemas in reach: those of the main document, and of others as far as they were needed. */
export interface Registry {
  /** The main document. */
  readonly root: Place;
  /** Each before those below it; what a reference leads to may add some. */
  readonly places: readonly Place[];
  readonly find: Find;
}

/** Enters the main document; others, as references lead to them. @throws {SchemaError} of an unknown dialect · {LimitError} */
export const createRegistry = (content: unknown, options: CompileOptions, budget: Budget): Registry => {
  const places: Place[] = [];
  /** By where they are, and by their URIs with an anchor or a bare `#`. */
  const named = new Map<string, Place>();
  const waiting = new Map(
    Object.entries(options.documents ?? {}).map(([uri, document]) => [resolve(uri, NAMELESS).uri, document]),
  );

  const open = (uri: string, document: unknown): Place => {
    waiting.delete(uri);
    canonical(document, budget);
    return enter(document, `${uri}#`.replace(NAMELESS, ""), uri);
  };

  /** Enters a schema and all below it. Where it has a URI of its own it is a resource. */
  const enter = (schema: unknown, location: string, base: string, parent?: Place, key = ""): Place => {
    const { $id, $schema, $anchor, $dynamicAnchor, $ref }: JsonObject = Object(schema);
    const dialect =
      isString($schema) && (parent === undefined || isString($id))
        ? dialectFor($schema, location, options)
        : (parent?.resource.dialect ?? dialectFor(options.dialect ?? "2020-12", location, options));
    const { uri, fragment } = resolve(isString($id) && !(dialect.isLegacy && $ref !== undefined) ? $id : "", base);
    const isEmbedded = parent !== undefined && uri !== base;
    const resource = parent === undefined || isEmbedded ? { uri, dialect, dynamic: new Map() } : parent.resource;
    const depth = 1 + (parent?.depth ?? 0);
    const below = new Map<string, readonly Place[]>();
    const place = { schema, resource, location, isEmbedded, depth, key, below, check: pass, plain: 0 };
    within(budget.limits, "subschemas", places.push(place));
    const anchors = ["", fragment, $anchor, $dynamicAnchor].filter(isString);
    // of those that share a name the first has it
    for (const name of [location, `${base}#`, ...anchors.map((anchor) => `${uri}#${anchor}`)]) {
      if (!named.has(name)) named.set(name, place);
    }
    if (isString($dynamicAnchor)) resource.dynamic.set(`#${$dynamicAnchor}`, place);
    for (const [keyword, value] of Object.entries(Object(schema))) {
      const isMap = dialect.holders.get(keyword);
      if (isMap === undefined) continue;
      const at = step(location, keyword);
      const isMany = isMap || isArray(value);
      const held = Object.entries<unknown>(isMany ? Object(value) : [value]).filter(([, member]) => isSchema(member));
      below.set(
        keyword,
        held.map(([key, member]) => enter(member, isMany ? step(at, key) : at, uri, place, key)),
      );
    }
    return place;
  };

  const find: Find = (from, keyword, reference) => {
    const { uri, fragment } = resolve(reference, from.resource.uri);
    // it may be embedded in a document with another URI
    for (const [other, document] of waiting) {
      if (!named.has(`${uri}#`) && (other === uri || !waiting.has(uri))) open(other, document);
    }
    const root = named.get(`${uri}#`);
    const place =
      root && (named.get(`${uri}#${fragment}`) ?? named.get(root.location + fragment) ?? dig(root, fragment));
    if (place !== undefined) return place;
    const message = `${keyword} ${show(reference)} leads nowhere; nothing is fetched, pass it in options.documents`;
    throw new SchemaError("UNRESOLVED_REFERENCE", step(from.location, keyword), message);
  };

  /** A schema that is not where schemas are looked for, such as below an unknown keyword, is one all the same. */
  const dig = (root: Place, pointer: string): Place | undefined => {
    const value = pointer
      .split("/")
      .reduce<unknown>((value, segment) => own(Object(value), segment.replaceAll("~1", "/").replaceAll("~0", "~")), {
        "": root.schema,
      });
    return isSchema(value) ? enter(value, root.location + pointer, root.resource.uri, root) : undefined;
  };

  return { root: open(NAMELESS, content), places, find };
};

const isSchema = (value: unknown): boolean => isObject(value) || typeof value === "boolean";
