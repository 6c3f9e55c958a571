import type { CompileOptions } from "./compile.js";
import { compose } from "./compose.js";
import { report } from "./issue.js";
import { type JsonObject, step } from "./json.js";
import { jump } from "./keywords/reference.js";
import type { AllLimits } from "./limits.js";
import { createPatterns } from "./pattern/pattern.js";
import type { Registry } from "./registry.js";
import type { Place } from "./resource.js";
import type { Site } from "./site.js";
import { show } from "./wording.js";

/** Gives every place its check. `verify` throws when a schema is not one in its dialect, subschemas apart. */
export function compileAll(
  { places, find }: Registry,
  { formats = {}, patternEngine }: CompileOptions,
  limits: AllLimits,
  verify: (place: Place) => void,
): void {
  const patterns = createPatterns(limits, patternEngine);
  for (const place of places) {
    verify(place);
    const { below, location, resource } = place;
    const nodes: Site["nodes"] = (keyword) => below.get(keyword) ?? [];
    compose({
      place,
      schema: effective(place),
      formats,
      nodes,
      list: (keyword) => nodes(keyword).map(([, held]) => held),
      node: (keyword) => nodes(keyword)[0]?.[1],
      refer: (keyword, reference) => find(place, keyword, reference),
      pattern: (keyword, source) => patterns(source, step(location, keyword)),
    });
    if (place.schema === false) {
      place.check = (value, run, _marks, path) =>
        path !== undefined && report(run, path, location, "false schema", `must be absent; got ${show(value)}`);
    }
    const { check } = place;
    // a resource within another adds itself to the dynamic scope
    if (place.isEmbedded) place.check = jump(1, () => ({ check, resource }));
  }
}

/** The keywords that have a meaning: those of the dialect, and in draft-07 none beside a `$ref`. */
function effective({ schema, resource: { dialect } }: Place): JsonObject {
  const known = Object.entries(Object(schema)).filter(
    ([name, value]) => value !== undefined && dialect.keywords.has(name),
  );
  const reference = dialect.isLegacy && known.find(([name]) => name === "$ref");
  return Object.fromEntries(reference ? [reference] : known);
}
