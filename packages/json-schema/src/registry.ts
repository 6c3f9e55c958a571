import { type Dialect, type DialectName, dialectNamed, dialectWith, nameOf } from "./dialect.js";
import { LimitError, SchemaError } from "./errors.js";
import type { Issue } from "./issue.js";
import { isArray, isObject, isString, own, step } from "./json.js";
import type { AllLimits } from "./limits.js";
import { measure } from "./measure.js";
import { isSchema, locationOf, type Place, type Schema } from "./resource.js";
import { NAMELESS, resolve } from "./uri.js";
import { show } from "./wording.js";

export interface RegistryOptions {
  readonly dialect: DialectName;
  readonly documents: Readonly<Record<string, unknown>>;
  readonly assertsFormats: boolean;
  readonly limits: AllLimits;
  /** What is wrong with a schema in its dialect, subschemas apart. */
  readonly verify: (schema: Schema, dialect: Dialect) => Issue | undefined;
}

/** All schemas in reach: those of the main document, and of others as far as they were needed. */
export interface Registry {
  /** The main document. */
  readonly root: Place;
  /** Those of the main document. */
  readonly places: Place[];
  /** @throws {SchemaError} `UNRESOLVED_REFERENCE` */
  find(from: Place, keyword: string, reference: string): Place;
}

export function createRegistry(content: unknown, options: RegistryOptions): Registry {
  const { limits } = options;
  const tally = { size: 0, subschemas: 0 };
  const roots = new Map<string, Place>();
  const located = new Map<string, Place>();
  const waiting = new Map(
    Object.entries(options.documents).map(([uri, document]) => [resolve(uri, NAMELESS)?.uri ?? uri, document]),
  );
  const places: Place[] = [];
  const root = open(NAMELESS, content);

  function open(uri: string, schema: unknown): Place {
    measure(schema, limits, tally);
    const location = uri === NAMELESS ? "#" : `${uri}#`;
    if (!isSchema(schema)) throw invalid(location, `a schema must be an object, true or false; got ${show(schema)}`);
    waiting.delete(uri);
    const place = visit(schema, location, undefined, uri);
    if (!roots.has(uri)) roots.set(uri, place);
    return place;
  }

  /** Enters a schema and all below it. Where it has a URI of its own it is a resource. */
  function visit(schema: Schema, location: string, parent: Place | undefined, base: string): Place {
    if (++tally.subschemas > limits.subschemas) {
      throw new LimitError("TOO_MANY_SUBSCHEMAS", "subschemas", limits);
    }
    const { $id, $schema, $anchor, $dynamicAnchor, $ref } = isObject(schema) ? schema : {};
    let dialect = parent?.resource.dialect ?? dialectNamed(options.dialect);
    const isLegacy = (isString($schema) ? nameOf($schema) : dialect.name) === "draft-07";
    const target =
      isString($id) && !(isLegacy && $ref !== undefined) ? resolve($id, base) : { uri: base, fragment: "" };
    if (target === undefined) throw invalid(`${location}/$id`, `$id must be a URI reference; got ${show($id)}`);
    const { uri, fragment } = target;
    let resource = parent?.resource;
    const opens = resource === undefined || uri !== base;
    if (opens && isString($schema)) dialect = dialectFor($schema, location);
    if (resource === undefined || opens) resource = { uri, dialect, anchors: new Map() };
    const issue = options.verify(schema, dialect);
    const isEmbedded = opens && parent !== undefined;
    const depth = parent === undefined ? 0 : parent.depth + 1;
    const place: Place = { schema, resource, location, isEmbedded, depth, below: new Map() };
    if (issue !== undefined) throw invalid(locationOf(place, ...issue.path), describe(issue));
    located.set(location, place);
    if (location.startsWith("#")) places.push(place);
    if (opens) name(roots, uri, place);
    for (const anchor of isLegacy ? [fragment] : [$anchor, $dynamicAnchor]) {
      if (isString(anchor) && anchor !== "") name(resource.anchors, anchor, place);
    }
    if (!isLegacy && isString($dynamicAnchor)) resource.anchors.set(`#${$dynamicAnchor}`, place);
    if (!isObject(schema)) return place;
    for (const [keyword, isMap] of resource.dialect.holders) {
      const value = own(schema, keyword);
      const at = `${location}/${keyword}`;
      const held: (readonly [string, Place])[] = [];
      if (!isMap && isSchema(value)) held.push(["", visit(value, at, place, uri)]);
      else if (isArray(value) || isObject(value)) {
        for (const [key, member] of Object.entries(value)) {
          if (isSchema(member)) held.push([key, visit(member, step(at, key), place, uri)]);
        }
      }
      if (held[0] !== undefined) place.below.set(keyword, held);
    }
    return place;
  }

  function dialectFor(uri: string, location: string): Dialect {
    const known = nameOf(uri);
    if (known !== undefined) return dialectNamed(known);
    const meta = own(options.documents, uri.replace(/#$/, ""));
    const { $schema, $vocabulary } = isObject(meta) ? meta : {};
    const base = nameOf($schema);
    const dialect =
      base && (isObject($vocabulary) ? dialectWith($vocabulary, options.assertsFormats) : dialectNamed(base));
    if (typeof dialect === "object") return dialect;
    const reason = dialect
      ? `requires a vocabulary that is not supported: ${show(dialect)}`
      : "is not supported; 2020-12 and draft-07 are, and those of 2020-12 with a meta-schema in options.documents";
    throw new SchemaError("UNKNOWN_DIALECT", `${location}/$schema`, `$schema ${show(uri)} ${reason}`);
  }

  function lookUp(uri: string): Place | undefined {
    const content = roots.has(uri) ? undefined : waiting.get(uri);
    if (content !== undefined) return open(uri, content);
    // it may be embedded in a document with another URI
    for (const [other, document] of waiting) {
      if (roots.has(uri)) break;
      try {
        open(other, document);
      } catch (error) {
        if (!(error instanceof SchemaError)) throw error;
      }
    }
    return roots.get(uri);
  }

  function follow(root: Place, fragment: string): Place | undefined {
    if (!/^(\/|$)/.test(fragment)) return root.resource.anchors.get(fragment);
    let place = root;
    let value: unknown = root.schema;
    let { location } = root;
    for (const segment of fragment.split("/").slice(1)) {
      value = own(Object(value), segment.replaceAll("~1", "/").replaceAll("~0", "~"));
      location += `/${segment}`;
      place = located.get(location) ?? place;
    }
    if (place.location === location) return place;
    // not a place where schemas are looked for, such as below an unknown keyword, but one all the same
    return isSchema(value) ? visit(value, location, place, place.resource.uri) : undefined;
  }

  function find(from: Place, keyword: string, reference: string): Place {
    const target = resolve(reference, from.resource.uri);
    const root = target && lookUp(target.uri);
    const place = root && follow(root, target.fragment);
    if (place !== undefined) return place;
    const reason = root
      ? `there is no schema ${show(target?.fragment)} in it`
      : `${target?.uri ?? "it"} is not here, and nothing is fetched: pass it in options.documents`;
    const message = `${keyword} ${show(reference)} leads nowhere; ${reason}`;
    throw new SchemaError("UNRESOLVED_REFERENCE", locationOf(from, keyword), message);
  }

  return { root, places, find };
}

/** Enters what a schema is called. Documents may share a URI, of which the first counts; within one it is an error. */
function name(names: Map<string, Place>, called: string, place: Place): void {
  const taken = names.get(called) ?? place;
  names.set(called, taken);
  const [document] = place.location.split("#");
  if (taken !== place && taken.location.startsWith(`${document}#`)) {
    throw invalid(place.location, `${show(called)} is given twice`);
  }
}

function invalid(location: string, message: string): SchemaError {
  return new SchemaError("INVALID_SCHEMA", location, message);
}

function describe({ path, message }: Issue): string {
  const isTuple = path.at(-1) === "items" && message.includes("array");
  return `${path.at(-1) ?? "schema"} ${message}${isTuple ? "; in 2020-12 a tuple is prefixItems" : ""}`;
}
