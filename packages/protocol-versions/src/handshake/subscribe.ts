import type { Notify } from "@parlance/jsonrpc";
import { watchingOf } from "../capability.js";
import type { ServerFacts } from "../era.js";
import type { Feature } from "../feature.js";
import type { Watcher } from "../watching.js";
import { subscribeMethod, unsubscribeMethod } from "./initialize.js";

/**
 * What a session watches, where a feature set can tell of single resources.
 * @see MCP 2025-11-25, server/resources, subscriptions
 */
export function createWatcher({ features, changes }: ServerFacts, notify: Notify): Watcher | undefined {
  return watchingOf(features)?.open(changes, (uri) => notify("notifications/resources/updated", { uri }));
}

/**
 * What answers a method for a session that may watch.
 */
export function subscribing(method: string, watcher: Watcher | undefined): Feature | undefined {
  switch (method) {
    case subscribeMethod:
      return watcher?.add;
    case unsubscribeMethod:
      return watcher?.delete;
    default:
      return undefined;
  }
}
