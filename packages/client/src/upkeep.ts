import type { Live, Negotiation } from "./negotiation.js";
import type { Waiting } from "./waiting.js";

/** A conversation with a server, or one after another. */
export interface Upkeep {
  /** The conversation as it is, alive or not. */
  readonly live: Live;
  /** Sends something in it, such as a request that waits for its answer. */
  run<A>(send: (live: Live) => Promise<A>, waiting?: Waiting | undefined): Promise<A>;
  close(): Promise<void>;
}

/** Begins the upkeep of a conversation that was found. */
export type Keep = (setup: Negotiation, first: Live) => Upkeep;

/** Without upkeep: one conversation, until it ends. */
export const keepOne: Keep = (_, live) => ({
  live,
  run: (send, waiting) => {
    waiting?.goesTo(live.peer);
    return send(live);
  },
  close: () => live.peer.close(),
});
