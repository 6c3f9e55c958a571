import { type Dialect, type DialectName, dialectNamed, dialectOf, dialectWith, metaDocument } from "./dialect.js";
import { LimitError, SchemaError } from "./errors.js";
import type { Issue } from "./issue.js";
import { isArray, isObject, isString, own, step } from "./json.js";
import type { AllLimits } from "./limits.js";
import { measure } from "./measure.js";
import { type Document, isSchema, locate, type Place, type Resource, type Schema } from "./resource.js";
import { NAMELESS, resolve } from "./uri.js";
import { show } from "./wording.js";

export interface RegistryOptions {
  readonly dialect: DialectName;
  readonly documents: Readonly<Record<string, unknown>>;
  readonly assertsFormats: boolean;
  readonly limits: AllLimits;
  /** What is wrong with a schema in its dialect. */
  readonly verify: (schema: Schema, dialect: Dialect) => Issue | undefined;
}

/** All schemas in reach: those of the main document, and of others as far as they were needed. */
export interface Registry {
  readonly root: Place;
  /** @throws {SchemaError} `UNRESOLVED_REFERENCE` */
  find(from: Place, keyword: string, reference: string): Place;
}

export function createRegistry(content: unknown, options: RegistryOptions): Registry {
  const { limits } = options;
  const tally = { size: 0, subschemas: 0 };
  const resources = new Map<string, Resource>();
  const waiting = new Map<string, unknown>();
  for (const [uri, document] of Object.entries(options.documents))
    waiting.set(resolve(uri, NAMELESS)?.uri ?? uri, document);
  const root = open(NAMELESS, content);

  function open(uri: string, schema: unknown): Place {
    measure(schema, limits, tally);
    const document = { uri, places: new Map() };
    if (!isSchema(schema))
      throw invalid(document, "", `a schema must be an object, true or false; got ${show(schema)}`);
    const place = visit(document, schema, "", undefined);
    if (!resources.has(uri)) resources.set(uri, place.resource);
    waiting.delete(uri);
    return place;
  }

  function visit(document: Document, schema: Schema, pointer: string, parent: Place | undefined): Place {
    if (++tally.subschemas > limits.subschemas) {
      throw new LimitError("TOO_MANY_SUBSCHEMAS", "subschemas", limits, "schema has too many subschemas");
    }
    const resource = resourceOf(document, schema, pointer, parent?.resource);
    const place = { schema, resource, pointer, depth: parent === undefined ? 0 : parent.depth + 1 };
    document.places.set(pointer, place);
    if (!isObject(schema)) return place;
    name(place);
    for (const [keyword, value] of Object.entries(schema)) {
      const isMap = resource.dialect.holders.get(keyword);
      const at = step(pointer, keyword);
      if (isMap === undefined) continue;
      if (!isMap && isSchema(value)) visit(document, value, at, place);
      else if (isArray(value) || isObject(value)) {
        for (const [segment, held] of Object.entries(value))
          if (isSchema(held)) visit(document, held, step(at, segment), place);
      }
    }
    return place;
  }

  /** The resource that a schema is part of: its own, if it has a URI. */
  function resourceOf(document: Document, schema: Schema, pointer: string, parent: Resource | undefined): Resource {
    const id = isObject(schema) ? own(schema, "$id") : undefined;
    const declared = isObject(schema) ? own(schema, "$schema") : undefined;
    const opens = parent === undefined || isString(id);
    const at = step(pointer, "$schema");
    const dialect =
      opens && isString(declared)
        ? dialectFor(declared, document, at)
        : (parent?.dialect ?? dialectNamed(options.dialect));
    const isOverridden = dialect.name === "draft-07" && isObject(schema) && own(schema, "$ref") !== undefined;
    const uri =
      isString(id) && !isOverridden ? resolve(id, parent?.uri ?? document.uri)?.uri : (parent?.uri ?? document.uri);
    if (uri === undefined)
      throw invalid(document, step(pointer, "$id"), `$id must be a URI reference; got ${show(id)}`);
    if (parent?.uri === uri) return parent;
    const issue = parent === undefined || isString(declared) ? options.verify(schema, dialect) : undefined;
    if (issue !== undefined) throw invalid(document, pointer + issue.instancePath, describe(issue));
    const resource = { uri, dialect, document, pointer, anchors: new Map(), dynamicAnchors: new Map() };
    const known = resources.get(uri);
    if (known?.document === document)
      throw invalid(document, step(pointer, "$id"), `$id ${show(id)} is taken by ${known.pointer}`);
    if (known === undefined) resources.set(uri, resource);
    return resource;
  }

  function dialectFor(uri: string, document: Document, pointer: string): Dialect {
    const meta = own(options.documents, uri.replace(/#$/, ""));
    const unknown = (reason: string): SchemaError =>
      new SchemaError("UNKNOWN_DIALECT", locate(document, pointer), `$schema ${show(uri)} ${reason}`);
    if (!isObject(meta)) {
      const known = dialectOf(uri);
      if (known === undefined)
        throw unknown(
          "is not supported; 2020-12 and draft-07 are, and dialects whose meta-schema is in options.documents",
        );
      return known;
    }
    const base = dialectOf(own(meta, "$schema"));
    const listed = own(meta, "$vocabulary");
    if (base === undefined) throw unknown("has a meta-schema in a dialect that is not supported");
    if (!isObject(listed)) return base;
    const dialect = dialectWith(listed, options.assertsFormats);
    if (isString(dialect)) throw unknown(`requires a vocabulary that is not supported: ${show(dialect)}`);
    return dialect;
  }

  function lookUp(uri: string): Resource | undefined {
    const found = resources.get(uri);
    if (found !== undefined) return found;
    const content = waiting.get(uri) ?? metaDocument(uri);
    if (content !== undefined) return open(uri, content).resource;
    // it may be embedded in a document with another URI
    for (const [other, document] of waiting) {
      try {
        open(other, document);
      } catch (error) {
        if (!(error instanceof SchemaError)) throw error;
      }
      if (resources.has(uri)) break;
    }
    return resources.get(uri);
  }

  function follow(resource: Resource, fragment: string): Place | undefined {
    if (fragment !== "" && !fragment.startsWith("/")) return resource.anchors.get(fragment);
    const { places } = resource.document;
    let { pointer } = resource;
    let near = places.get(pointer);
    let value: unknown = near?.schema;
    for (const segment of fragment.split("/").slice(1)) {
      const key = segment.replaceAll("~1", "/").replaceAll("~0", "~");
      value = isObject(value) || isArray(value) ? Object.getOwnPropertyDescriptor(value, key)?.value : undefined;
      pointer = step(pointer, key);
      near = places.get(pointer) ?? near;
    }
    if (near?.pointer === pointer) return near;
    // not a place where schemas are looked for, such as below an unknown keyword, but one all the same
    return near && isSchema(value) ? visit(resource.document, value, pointer, near) : undefined;
  }

  function find(from: Place, keyword: string, reference: string): Place {
    const target = resolve(reference, from.resource.uri);
    const resource = target && lookUp(target.uri);
    const place = target && resource && follow(resource, target.fragment);
    if (place !== undefined) return place;
    const where = locate(from.resource.document, step(from.pointer, keyword));
    const reason = resource
      ? `there is no schema ${show(target?.fragment)} in it`
      : `${target?.uri ?? "it"} is not here, and nothing is fetched: pass it in options.documents`;
    throw new SchemaError("UNRESOLVED_REFERENCE", where, `${keyword} ${show(reference)} leads nowhere; ${reason}`);
  }

  return { root, find };
}

function invalid(document: Document, pointer: string, message: string): SchemaError {
  return new SchemaError("INVALID_SCHEMA", locate(document, pointer), message);
}

function describe({ path, message }: Issue): string {
  const isTuple = path.at(-1) === "items" && message.includes("array");
  return `${path.at(-1) ?? "schema"} ${message}${isTuple ? "; in 2020-12 a tuple is prefixItems" : ""}`;
}

/** Enters the anchors of a schema into its resource. */
function name(place: Place): void {
  const { schema, resource, pointer } = place;
  if (!isObject(schema)) return;
  const id = own(schema, "$id");
  const isLegacy = resource.dialect.name === "draft-07";
  const dynamic = isLegacy ? undefined : own(schema, "$dynamicAnchor");
  const names = isLegacy ? [isString(id) ? id.split("#")[1] : ""] : [own(schema, "$anchor"), dynamic];
  for (const anchor of names) {
    if (!isString(anchor) || anchor === "") continue;
    if ((resource.anchors.get(anchor) ?? place) !== place)
      throw invalid(resource.document, pointer, `anchor ${show(anchor)} is taken`);
    resource.anchors.set(anchor, place);
  }
  if (isString(dynamic)) resource.dynamicAnchors.set(dynamic, place);
}
