import type { Peer, RpcNotification } from "@parlance/jsonrpc";
import type { Change } from "./change.js";
import type { Session } from "./era.js";
import { listen as listenByHandshake } from "./handshake/listen.js";
import type { ListenFilter } from "./model/listen.js";
import { listen as listenStatelessly } from "./stateless/listening.js";

/**
 * What a listener hears: a change, or that it may have missed some, so that whatever it read before may be out of date.
 * @stable
 */
export type ListenEvent = Change | { readonly type: "resync" };

/**
 * A conversation to listen on.
 * @experimental
 */
export interface ListenLine {
  readonly peer: Peer;
  readonly session: Session;
  /** Hears what the server says and no call asked for. @returns what ends it */
  hear(listener: (message: RpcNotification) => void): () => void;
}

/**
 * What is wanted.
 * @experimental
 */
export interface ListenOrder {
  readonly filter: ListenFilter;
  readonly on: (event: ListenEvent) => void;
  readonly signal: AbortSignal;
  /** Hears of a change that was said for a subscription which there is not, or not yet. */
  readonly stray: (subscriptionId: unknown) => void;
  /** It was listened before, on this line or another: the server must be found to be there. */
  readonly again: boolean;
}

/**
 * How listening ended: by the server, in good order; without its word; or on this side.
 * @experimental
 */
export interface ListenEnd {
  readonly type: "graceful" | "dropped" | "closed";
  readonly cause?: unknown;
}

/**
 * A server that will tell.
 * @experimental
 */
export interface Listening {
  /** What the server has of what was asked for. */
  readonly honored: ListenFilter;
  /** Never rejects. */
  readonly ended: Promise<ListenEnd>;
}

/**
 * Listens on one conversation, until it or the order's signal ends.
 * @experimental
 */
export type Listen = (line: ListenLine, order: ListenOrder) => Promise<Listening>;

/**
 * How one listens in each era, by its name.
 * @experimental
 */
export const listens: { readonly [era: string]: Listen | undefined } = {
  stateless: listenStatelessly,
  handshake: listenByHandshake,
};
