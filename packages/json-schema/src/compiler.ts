import type { Check, Node } from "./check.js";
import { compose } from "./compose.js";
import type { Dialect } from "./dialect.js";
import type { Formats } from "./format.js";
import { report } from "./issue.js";
import { isObject, type JsonObject, own } from "./json.js";
import type { AllLimits } from "./limits.js";
import { createPatterns, type PatternEngine } from "./pattern/pattern.js";
import type { Registry } from "./registry.js";
import { locationOf, type Place, type Resource } from "./resource.js";
import type { Site } from "./site.js";
import { show } from "./wording.js";

export interface CompilerOptions {
  readonly formats: Formats | undefined;
  readonly limits: AllLimits;
  readonly patternEngine: PatternEngine | undefined;
}

const unbuilt: Check = () => false;

/**
 * Gives every place its node, and back that of the root. What is below a place is compiled at once; what a reference leads to waits
 * in a queue, so that a long chain of references does not nest.
 */
export function compileAll(registry: Registry, options: CompilerOptions): Node {
  const patterns = createPatterns(options.limits, options.patternEngine);
  const { places } = registry;
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
    places.push(place);
    return place;
  }

  function siteOf(place: Place, all: JsonObject): Site {
    const schema = effective(all, place.resource.dialect);
    const nodes: Site["nodes"] = (keyword) =>
      keyword in schema ? (place.below.get(keyword) ?? []).map(([name, held]) => [name, compiled(held)]) : [];
    return {
      place,
      schema,
      formats: options.formats ?? {},
      nodes,
      node: (keyword) => nodes(keyword)[0]?.[1],
      refer: (keyword, reference) => later(registry.find(place, keyword, reference)),
      reach: (name) => reached.add(name),
      pattern: (keyword, source) => patterns(source, locationOf(place, keyword)),
    };
  }

  // these grow while they are gone through, by what references lead to
  for (const place of places) {
    compiled(place);
    if (reached.size === 0) continue;
    for (const { anchors } of entered) {
      for (const [name, bearer] of anchors) if (reached.has(name) && bearer.node === undefined) later(bearer);
    }
  }
  return compiled(registry.root);
}

/** The keywords that have a meaning: those of the dialect, and in draft-07 none beside a `$ref`. */
function effective(schema: JsonObject, { name, keywords }: Dialect): JsonObject {
  const kept: Record<string, unknown> = Object.create(null);
  const isAlone = name === "draft-07" && own(schema, "$ref") !== undefined;
  for (const keyword of isAlone ? ["$ref"] : Object.keys(schema)) {
    if (schema[keyword] !== undefined && Object.hasOwn(keywords, keyword)) kept[keyword] = schema[keyword];
  }
  return kept;
}

function constant(place: Place): Check {
  return (value, run, _marks, path) =>
    place.schema === true ||
    (path !== undefined && report(run, path, place.location, "false schema", `must be absent; got ${show(value)}`));
}

/** A resource within another adds itself to the dynamic scope. */
function inResource({ resource, isEmbedded }: Place, check: Check): Check {
  if (!isEmbedded) return check;
  return (value, run, marks, path) => {
    const { scope } = run;
    run.scope = { resource, up: scope };
    const holds = check(value, run, marks, path);
    run.scope = scope;
    return holds;
  };
}
