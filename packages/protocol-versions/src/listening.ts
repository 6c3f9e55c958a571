import type { Exchange, RequestId } from "@parlance/jsonrpc";
import { announcing } from "./announcing.js";
import type { ServerFacts } from "./era.js";
import type { Feature, FeatureSet } from "./feature.js";
import { createListens } from "./stateless/listen.js";

/**
 * Answers the requests to listen that come to one server.
 * @experimental
 */
export type Listens = (id: RequestId, exchange: Exchange) => Feature;

/**
 * Lets callers of the stateless era listen for changes, by `subscriptions/listen`. `createResources` and `createPrompts`
 * bring it with them; with it among the `features` a server of nothing but tools has it too. Sessions are told that lists
 * have changed.
 * @see MCP 2026-07-28, basic/patterns/subscriptions
 * @stable
 */
export function listening(): FeatureSet {
  return { ...announcing, capabilities: {}, methods: {}, listens: createListens };
}

/**
 * What makes the `Listens` of a server.
 * @experimental
 */
export type ListensFactory = (server: ServerFacts) => Listens;
