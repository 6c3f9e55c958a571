import { type Dialect, type DialectName, dialectNamed, dialectWith, metaDocument, nameOf } from "./dialect.js";
import { LimitError, SchemaError } from "./errors.js";
import type { Issue } from "./issue.js";
import { isArray, isObject, isString, type JsonObject, own } from "./json.js";
import type { AllLimits } from "./limits.js";
import { measure } from "./measure.js";
import { isSchema, locationOf, type Place, type Resource, type Schema } from "./resource.js";
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
  /** Those of the main document, the root first. */
  readonly places: readonly Place[];
  /** @throws {SchemaError} `UNRESOLVED_REFERENCE` */
  find(from: Place, keyword: string, reference: string): Place;
}

export function createRegistry(content: unknown, options: RegistryOptions): Registry {
  const { limits } = options;
  const tally = { size: 0, subschemas: 0 };
  const roots = new Map<string, Place>();
  const waiting = new Map<string, unknown>();
  for (const [uri, document] of Object.entries(options.documents))
    waiting.set(resolve(uri, NAMELESS)?.uri ?? uri, document);
  const places: Place[] = [];
  open(NAMELESS, content);

  function open(uri: string, schema: unknown): Place {
    measure(schema, limits, tally);
    if (!isSchema(schema))
      throw new SchemaError("INVALID_SCHEMA", "#", `a schema must be an object, true or false; got ${show(schema)}`);
    const place = visit(uri, schema, undefined, []);
    if (!roots.has(uri)) roots.set(uri, place);
    waiting.delete(uri);
    return place;
  }

  function visit(document: string, schema: Schema, parent: Place | undefined, steps: readonly string[]): Place {
    if (++tally.subschemas > limits.subschemas) {
      throw new LimitError("TOO_MANY_SUBSCHEMAS", "subschemas", limits, "schema has too many subschemas");
    }
    const resource = parent?.resource ?? resourceOf(document, document, dialectNamed(options.dialect));
    const depth = parent === undefined ? 0 : parent.depth + 1;
    const place: Place = { schema, resource, parent, steps, depth, below: new Map() };
    if (document === NAMELESS) places.push(place);
    identify(place);
    if (!isObject(schema)) return place;
    for (const [keyword, isMap] of place.resource.dialect.holders) {
      const value = own(schema, keyword);
      if (value === undefined) continue;
      const held: Place[] = [];
      if (!isMap && isSchema(value)) held.push(visit(document, value, place, [keyword]));
      else if (isArray(value) || isObject(value)) {
        for (const [key, member] of Object.entries(value)) {
          if (isSchema(member)) held.push(visit(document, member, place, [keyword, key]));
        }
      }
      place.below.set(keyword, held);
    }
    return place;
  }

  /** Opens a resource where a schema has a URI of its own, checks it against its dialect, and enters its names. */
  function identify(place: Place): void {
    const { schema, parent } = place;
    const { uri, document, dialect } = place.resource;
    const { $id, $schema, $anchor, $dynamicAnchor, $ref } = namesOf(schema);
    const isLegacy = (isString($schema) ? nameOf($schema) : dialect.name) === "draft-07";
    const id = isLegacy && $ref !== undefined ? undefined : $id;
    const target = isString(id) ? resolve(id, uri) : undefined;
    if (isString(id) && target === undefined)
      throw invalid(place, "$id", `$id must be a URI reference; got ${show(id)}`);
    const opens = target !== undefined && target.uri !== uri;
    if (parent === undefined || opens) {
      const spoken = isString($schema) ? dialectFor($schema, place) : dialect;
      place.resource = resourceOf(target?.uri ?? uri, document, spoken);
      const issue = parent === undefined || isString($schema) ? options.verify(schema, spoken) : undefined;
      if (issue !== undefined) throw invalid(place, issue.path, describe(issue));
      const taken = roots.get(place.resource.uri);
      if (taken?.resource.document === document) throw invalid(place, "$id", `$id ${show($id)} is given twice`);
      if (taken === undefined) roots.set(place.resource.uri, place);
    }
    const { anchors, dynamicAnchors } = place.resource;
    for (const name of isLegacy ? [target?.fragment] : [$anchor, $dynamicAnchor]) {
      if (!isString(name) || name === "") continue;
      if ((anchors.get(name) ?? place) !== place) throw invalid(place, "", `anchor ${show(name)} is given twice`);
      anchors.set(name, place);
      if (!isLegacy && name === $dynamicAnchor) dynamicAnchors.set(name, place);
    }
  }

  function dialectFor(uri: string, place: Place): Dialect {
    const meta = own(options.documents, uri.replace(/#$/, ""));
    const unknown = (reason: string): SchemaError =>
      new SchemaError("UNKNOWN_DIALECT", locationOf(place, "$schema"), `$schema ${show(uri)} ${reason}`);
    const known = nameOf(isObject(meta) ? own(meta, "$schema") : uri);
    if (known === undefined) {
      throw unknown(
        "is not supported; 2020-12 and draft-07 are, and dialects of 2020-12 whose meta-schema is in options.documents",
      );
    }
    const listed = isObject(meta) ? own(meta, "$vocabulary") : undefined;
    const dialect = isObject(listed) ? dialectWith(listed, options.assertsFormats) : dialectNamed(known);
    if (isString(dialect)) throw unknown(`requires a vocabulary that is not supported: ${show(dialect)}`);
    return dialect;
  }

  function lookUp(uri: string): Place | undefined {
    const content = roots.has(uri) ? undefined : (waiting.get(uri) ?? metaDocument(uri));
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
    const { anchors, document } = root.resource;
    if (!/^(\/|$)/.test(fragment)) return anchors.get(fragment);
    let place = root;
    let value: unknown = root.schema;
    let steps: string[] = [];
    for (const segment of fragment.split("/").slice(1)) {
      const key = segment.replaceAll("~1", "/").replaceAll("~0", "~");
      value = isObject(value) || isArray(value) ? Object.getOwnPropertyDescriptor(value, key)?.value : undefined;
      steps.push(key);
      const next = place.below
        .get(steps[0] ?? "")
        ?.find(
          (held) => held.steps.length === steps.length && held.steps.every((each, index) => each === steps[index]),
        );
      if (next === undefined) continue;
      place = next;
      steps = [];
    }
    if (steps.length === 0) return place;
    if (!isSchema(value)) return undefined;
    // not a place where schemas are looked for, such as below an unknown keyword, but one all the same
    const found = visit(document, value, place, steps);
    place.below.set(steps[0] ?? "", [...(place.below.get(steps[0] ?? "") ?? []), found]);
    return found;
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

  return { places, find };
}

function resourceOf(uri: string, document: string, dialect: Dialect): Resource {
  return { uri, document, dialect, anchors: new Map(), dynamicAnchors: new Map() };
}

function namesOf(schema: Schema): JsonObject {
  return isObject(schema) ? Object.assign(Object.create(null), schema) : {};
}

function invalid(place: Place, steps: string | Issue["path"], message: string): SchemaError {
  const more = isString(steps) ? (steps === "" ? [] : [steps]) : steps.map(String);
  return new SchemaError("INVALID_SCHEMA", locationOf(place, ...more), message);
}

function describe({ path, message }: Issue): string {
  const isTuple = path.at(-1) === "items" && message.includes("array");
  return `${path.at(-1) ?? "schema"} ${message}${isTuple ? "; in 2020-12 a tuple is prefixItems" : ""}`;
}
