import { type Peer, RpcError } from "@parlance/jsonrpc";
import type { Change } from "../change.js";
import { changeIn } from "../change-in.js";
import type { Session } from "../era.js";
import { isJsonObject } from "../json-object.js";
import type { Listen, ListenEnd } from "../listens.js";
import { memo } from "../memo.js";
import { type ListenFilter, listKeys } from "../model/listen.js";
import { subscribeMethod, unsubscribeMethod } from "./initialize.js";

/** How many listen to a resource in one session, which has one subscription for all of them. */
const subscribers: WeakMap<Session, Map<string, number>> = /* @__PURE__ */ new WeakMap();

/**
 * Listens in a session: the server tells of its lists by itself, and of the resources that are subscribed to.
 * @see MCP 2025-11-25, server/resources, subscriptions
 */
export const listen: Listen = async ({ session, peer, hear }, { filter, on, signal, again }) => {
  // a session that was lost is replaced when something is asked
  if (again) await alive(session, signal);
  const honored: Record<string, unknown> = {};
  const { capabilities } = session.server;
  for (const [key, list] of listKeys)
    if (filter[key] === true && promises(capabilities[list], "listChanged")) honored[key] = true;
  const { resourceSubscriptions: asked } = filter;
  const uris: string[] = [];
  if (asked !== undefined && promises(capabilities["resources"], "subscribe")) honored["resourceSubscriptions"] = uris;
  const unhear = hear((message) => {
    const change = changeIn(message);
    if (change !== undefined && isWanted(change, honored)) on(change);
  });
  try {
    for (const uri of honored["resourceSubscriptions"] === uris ? (asked ?? []) : []) {
      if (await subscribe(session, uri, signal)) uris.push(uri);
    }
  } catch (error) {
    unhear();
    throw error;
  }
  return { honored, ended: end(session, peer, signal, uris, () => on({ type: "resync" })).finally(unhear) };
};

/** Waits for the end, and sees to what may be missed until then. */
async function end(
  session: Session,
  peer: Peer,
  signal: AbortSignal,
  uris: readonly string[],
  missed: () => void,
): Promise<ListenEnd> {
  let settle: (end: ListenEnd) => void = () => {};
  const ended = new Promise<ListenEnd>((done) => {
    settle = done;
  });
  const lost = (): void => settle({ type: "dropped", cause: peer.closed.reason });
  const closed = (): void => settle({ type: "closed" });
  const unlink = peer.missed?.(() => {
    alive(session, signal).then(missed, (cause: unknown) => settle({ type: "dropped", cause }));
  });
  peer.closed.addEventListener("abort", lost);
  signal.addEventListener("abort", closed);
  if (peer.closed.aborted) lost();
  if (signal.aborted) closed();
  try {
    const how = await ended;
    await Promise.all(uris.map((uri) => unsubscribe(session, uri, how.type === "closed" && !peer.closed.aborted)));
    return how;
  } finally {
    unlink?.();
    peer.closed.removeEventListener("abort", lost);
    signal.removeEventListener("abort", closed);
  }
}

/** Any answer is a sign of life; a session that was lost is replaced on the way, with what was subscribed to in it. */
async function alive(session: Session, signal: AbortSignal): Promise<void> {
  await session.ping({ signal }).catch((error: unknown) => {
    if (!(error instanceof RpcError)) throw error;
  });
}

function promises(capability: unknown, what: string): boolean {
  return isJsonObject(capability) && capability[what] === true;
}

/** A server may tell of a part of a resource, so whatever is said to have changed is handed on. */
function isWanted(change: Change, honored: ListenFilter): boolean {
  if (change.type === "resource") return (honored.resourceSubscriptions?.length ?? 0) > 0;
  return [...listKeys].some(([key, list]) => list === change.type && honored[key] === true);
}

/** @returns whether the server lets it */
async function subscribe(session: Session, uri: string, signal: AbortSignal): Promise<boolean> {
  const counts = memo(subscribers, session, () => new Map<string, number>());
  const count = counts.get(uri) ?? 0;
  try {
    if (count === 0) await session.call(subscribeMethod, { uri }, { signal });
  } catch (error) {
    if (error instanceof RpcError) return false;
    throw error;
  }
  counts.set(uri, (counts.get(uri) ?? 0) + 1);
  return true;
}

async function unsubscribe(session: Session, uri: string, tell: boolean): Promise<void> {
  const counts = subscribers.get(session);
  const left = (counts?.get(uri) ?? 1) - 1;
  if (left > 0) counts?.set(uri, left);
  else counts?.delete(uri);
  if (left > 0 || !tell) return;
  // whoever no longer listens does not care; the session may be on its way out
  await session.call(unsubscribeMethod, { uri }).catch(() => {});
}
