import { announcing } from "./announcing.js";
import type { FeatureSet } from "./feature.js";
import { listenMethod } from "./stateless/envelope.js";
import { listen } from "./stateless/listen.js";

/**
 * Lets callers of the stateless era listen for changes, by `subscriptions/listen`. `createResources` and `createPrompts`
 * bring it with them; with it among the `features` a server of nothing but tools has it too. Sessions are told that lists
 * have changed.
 * @see MCP 2026-07-28, basic/patterns/subscriptions
 * @stable
 */
export function listening(): FeatureSet {
  return {
    ...announcing,
    protocol: { ...announcing.protocol, [listenMethod]: listen },
    capabilities: {},
    methods: {},
  };
}
