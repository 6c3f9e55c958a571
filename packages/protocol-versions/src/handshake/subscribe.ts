import type { Notify } from "@parlance/jsonrpc";
import type { ServerFacts } from "../era.js";
import type { Feature } from "../feature.js";
import { subscribeMethod, unsubscribeMethod } from "./initialize.js";

/**
 * What one session subscribes to.
 */
export interface Subscriptions {
  /** The methods that this session has for it. */
  readonly methods: ReadonlyMap<string, Feature>;
  close(): void;
}

/**
 * Lets a session subscribe to resources, where a feature set can tell of them.
 * @see MCP 2025-11-25, server/resources, subscriptions
 */
export function createSubscriptions({ features, changes }: ServerFacts, notify: Notify): Subscriptions | undefined {
  const watcher = features
    .find((set) => set.watching)
    ?.watching?.open(changes, (uri) => notify("notifications/resources/updated", { uri }));
  return (
    watcher && {
      methods: new Map<string, Feature>([
        [subscribeMethod, (call) => watcher.add(call.params["uri"], call)],
        [unsubscribeMethod, ({ params }) => watcher.delete(params["uri"])],
      ]),
      close: watcher.close,
    }
  );
}
