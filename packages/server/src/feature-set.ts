import { LocalError } from "@parlance/jsonrpc";
import type { Call, Feature, FeatureSet, Outcome } from "@parlance/protocol-versions";

/**
 * Stands around every feature. It runs once a round of a call; the first in a list is outermost.
 * @stable
 */
export type FeatureMiddleware = (next: Feature) => Feature;

/** A feature that may answer its method together with that of another set. */
export interface SharedFeature {
  (call: Call): Outcome | Promise<Outcome>;
  /** Both in one; nothing when the other is of another kind. */
  readonly join?: ((other: Feature) => Feature | undefined) | undefined;
}

/**
 * What answers each method of a server, with all that stands around it; the first set in a list is outermost.
 * @throws LocalError `INVALID_ARGUMENT` when two sets answer the same method
 */
export function servedMethods(
  features: readonly FeatureSet[],
  middleware: readonly FeatureMiddleware[],
): ReadonlyMap<string, Feature> {
  const protocol: Readonly<Record<string, Feature>> = Object.assign({}, ...features.map((set) => set.protocol));
  const all = [...Object.entries(protocol), ...mergeMethods(features, middleware)];
  const outside = (feature: Feature): Feature =>
    features.reduceRight((next, set) => set.outside?.(next) ?? next, feature);
  return new Map(all.map(([method, feature]) => [method, outside(feature)]));
}

/**
 * Every method of every feature set, with the middleware around it.
 * @throws LocalError `INVALID_ARGUMENT` when two sets answer the same method
 */
export function mergeMethods(
  features: readonly FeatureSet[],
  middleware: readonly FeatureMiddleware[],
): ReadonlyMap<string, Feature> {
  const methods = new Map<string, SharedFeature>();
  for (const set of features) {
    for (const [method, feature] of Object.entries(set.methods)) {
      const present = methods.get(method);
      const joined = present?.join?.(feature);
      if (present !== undefined && joined === undefined) {
        throw new LocalError(
          "INVALID_ARGUMENT",
          `two feature sets answer "${method}"; a method has one answer, leave one out`,
        );
      }
      methods.set(method, joined ?? feature);
    }
  }
  for (const [method, feature] of methods) {
    const inner = features.reduce((next, set) => set.around?.(next) ?? next, feature);
    methods.set(
      method,
      middleware.reduceRight((next, wrap) => wrap(next), inner),
    );
  }
  return methods;
}
