import type { Connection } from "@parlance/jsonrpc";
import type { Call, Feature } from "../feature.js";
import { memo } from "../memo.js";
import { served } from "../served.js";
import { notFound } from "../serving.js";
import { type Watcher, watchingOf } from "../watching.js";
import { hearEnd } from "./end.js";
import { subscribeMethod, unsubscribeMethod } from "./initialize.js";

const watchers: WeakMap<Connection, Watcher> = /* @__PURE__ */ new WeakMap();

/**
 * What a session watches, where a feature set can tell of single resources.
 * @see MCP 2025-11-25, server/resources, subscriptions
 */
export const subscribing: Readonly<Record<string, Feature>> = {
  [subscribeMethod]: (call) => watcherOf(call).add(call),
  [unsubscribeMethod]: (call) => watcherOf(call).delete(call),
};

/** @throws RpcError −32601 where there is no session, nobody to tell, or nothing to watch */
function watcherOf({ method, [served]: within }: Call): Watcher {
  const session = within?.session;
  const notify = session?.connection.notify;
  const watching = session && watchingOf(session.server.features);
  if (session === undefined || notify === undefined || watching === undefined) throw notFound(method);
  const { connection, server } = session;
  return memo(watchers, connection, () => {
    const tell = (uri: string): Promise<void> => notify("notifications/resources/updated", { uri });
    const watcher = watching.open(server.changes, tell);
    hearEnd(connection, () => watcher.close());
    return watcher;
  });
}
