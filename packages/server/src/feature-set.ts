import { LocalError } from "@parlance/jsonrpc";
import type { Feature, FeatureSet } from "@parlance/protocol-versions";

/**
 * Stands around every feature. It runs once a round of a call; the first in a list is outermost.
 * @stable
 */
export type FeatureMiddleware = (next: Feature) => Feature;

/**
 * Every method of every feature set, with the middleware around it.
 * @throws LocalError `INVALID_ARGUMENT` when two sets answer the same method
 */
export function mergeMethods(
  features: readonly FeatureSet[],
  middleware: readonly FeatureMiddleware[],
): ReadonlyMap<string, Feature> {
  const methods = new Map<string, Feature>();
  for (const set of features) {
    for (const [method, feature] of Object.entries(set.methods)) {
      if (methods.has(method)) {
        throw new LocalError(
          "INVALID_ARGUMENT",
          `two feature sets answer "${method}"; a method has one answer, leave one out`,
        );
      }
      methods.set(
        method,
        middleware.reduceRight((next, wrap) => wrap(next), feature),
      );
    }
  }
  return methods;
}
