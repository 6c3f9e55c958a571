import type { Check, Node } from "./check.js";
import { compose } from "./compose.js";
import type { Dialect } from "./dialect.js";
import type { Formats } from "./format.js";
import { report } from "./issue.js";
import { isObject, type JsonObject, own, step } from "./json.js";
import type { AllLimits } from "./limits.js";
import { createPatterns, type PatternEngine } from "./pattern/pattern.js";
import type { Registry } from "./registry.js";
import { locate, type Place, type Resource } from "./resource.js";
import type { Site } from "./site.js";
import { show } from "./wording.js";

export interface CompilerOptions {
  readonly formats: Formats | undefined;
  readonly limits: AllLimits;
  readonly patternEngine: PatternEngine | undefined;
}

const unbuilt: Check = () => false;

/**
 * Turns places into nodes, the root first. What is below a place is compiled at once; what a reference leads to waits
 * in a queue, so that a long chain of references does not nest.
 */
export function compileAll(registry: Registry, options: CompilerOptions): Node {
  const patterns = createPatterns(options.limits, options.patternEngine);
  const queue: Place[] = [];
  const entered = new Set<Resource>();
  const reached = new Set<string>();

  function nodeOf(place: Place): Node {
    place.node ??= { check: unbuilt, never: place.schema === false };
    return place.node;
  }

  function compiled(place: Place): Node {
    const node = nodeOf(place);
    if (node.check === unbuilt) {
      entered.add(place.resource);
      node.check = inResource(place, isObject(place.schema) ? compose(siteOf(place, place.schema)) : constant(place));
    }
    return node;
  }

  function later(place: Place): Place {
    nodeOf(place);
    queue.push(place);
    return place;
  }

  function siteOf(place: Place, all: JsonObject): Site {
    const { resource, pointer } = place;
    const { document, dialect } = resource;
    const schema = effective(all, dialect);
    const node: Site["node"] = (keyword, segment) => {
      const at = step(pointer, keyword);
      const held = document.places.get(segment === undefined ? at : step(at, segment));
      return held && own(schema, keyword) !== undefined ? compiled(held) : undefined;
    };
    return {
      place,
      schema,
      formats: options.formats ?? {},
      node,
      nodes: (keyword) =>
        Object.keys(Object(own(schema, keyword))).flatMap((segment) => {
          const held = node(keyword, segment);
          return held === undefined ? [] : [[segment, held] as const];
        }),
      refer: (keyword, reference) => later(registry.find(place, keyword, reference)),
      reach: (name) => reached.add(name),
      pattern: (keyword, source) => patterns(source, locate(document, step(pointer, keyword))),
    };
  }

  const root = compiled(registry.root);
  // these grow while they are gone through, by what references lead to
  for (const place of registry.root.resource.document.places.values()) compiled(place);
  for (const place of queue) {
    compiled(place);
    for (const { dynamicAnchors } of entered) {
      for (const [name, bearer] of dynamicAnchors) if (reached.has(name) && bearer.node === undefined) later(bearer);
    }
  }
  return root;
}

/** The keywords that have a meaning: those of the dialect, and in draft-07 none beside a `$ref`. */
function effective(schema: JsonObject, { name, keywords }: Dialect): JsonObject {
  if (name === "draft-07" && own(schema, "$ref") !== undefined) return { $ref: schema["$ref"] };
  const entries = Object.entries(schema).filter(
    ([keyword, value]) => value !== undefined && Object.hasOwn(keywords, keyword),
  );
  return Object.fromEntries(entries);
}

function constant(place: Place): Check {
  const at = locate(place.resource.document, place.pointer);
  return (value, run, _marks, path) =>
    place.schema === true ||
    (path !== undefined && report(run, path, at, "false schema", `must be absent; got ${show(value)}`));
}

/** A resource within another adds itself to the dynamic scope. */
function inResource({ resource, pointer }: Place, check: Check): Check {
  if (pointer === "" || resource.pointer !== pointer) return check;
  return (value, run, marks, path) => {
    run.scope.push(resource);
    const holds = check(value, run, marks, path);
    run.scope.pop();
    return holds;
  };
}
