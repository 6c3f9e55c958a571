import {
  type Change,
  type FeatureSet,
  isJsonObject,
  type ListenEvent,
  type ListenFilter,
  listening,
  type ServerCapabilities,
  watching,
} from "@parlance/protocol-versions";
import type { Client } from "../client.js";
import { inner } from "../inner.js";
import { listen, type Subscription } from "../listen.js";

/** What a server may say has changed. */
export const lists = ["tools", "prompts", "resources"] as const;

/** What lets callers hear of changes at a server, where it tells of them. It is listened to for as long as somebody wants to hear. */
export function remoteChanges(client: Client, capabilities: ServerCapabilities): Partial<FeatureSet> {
  const told = lists.filter((list) => promises(capabilities[list], "listChanged"));
  const watches = promises(capabilities.resources, "subscribe");
  if (told.length === 0 && !watches) return {};
  const listeners = new Set<(change: Change) => void>();
  const watched = new Map<string, number>();
  const { report } = client[inner];
  let current: Subscription | undefined;
  let isOpening = false;
  let isOutdated = false;

  function tell(change: Change): void {
    for (const listener of listeners) listener(change);
  }

  function hear(event: ListenEvent): void {
    if (event.type !== "resync") {
      if (event.type !== "extension") tell(event);
      return;
    }
    for (const type of told) tell({ type });
    for (const uri of watched.keys()) tell({ type: "resource", uri });
  }

  function wanted(): ListenFilter | undefined {
    if (listeners.size === 0 || (told.length === 0 && watched.size === 0)) return undefined;
    return {
      ...Object.fromEntries(told.map((list) => [`${list}ListChanged`, true])),
      ...(watched.size > 0 && { resourceSubscriptions: [...watched.keys()] }),
    };
  }

  /** What is heard next is heard before what was heard until now ends: nothing is missed in between. */
  async function open(): Promise<void> {
    const before = current;
    const filter = wanted();
    current = filter && (await listen(client, filter, hear));
    await before?.close();
  }

  async function refresh(): Promise<void> {
    isOutdated = true;
    if (isOpening) return;
    isOpening = true;
    // all that is wanted in one turn is asked for once
    await Promise.resolve();
    while (isOutdated) {
      isOutdated = false;
      await open().catch((error: unknown) => report({ kind: "listen_ended", error }));
    }
    isOpening = false;
  }

  function count(uri: string, by: number): void {
    const listened = (watched.get(uri) ?? 0) + by;
    if (listened > 0) watched.set(uri, listened);
    else watched.delete(uri);
    if (listened === 0 || (listened === 1 && by === 1)) void refresh();
  }

  const { protocol, session, bus } = listening();
  return {
    protocol,
    session,
    bus,
    changed(listener) {
      listeners.add(listener);
      void refresh();
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) void refresh();
      };
    },
    watching: watches
      ? watching((uri) => {
          count(uri, 1);
          return () => count(uri, -1);
        })
      : undefined,
  };
}

/** Whether a server promises to tell. */
export function promises(capability: unknown, what: string): boolean {
  return isJsonObject(capability) && capability[what] === true;
}
