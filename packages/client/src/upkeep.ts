import type { Session, ToolDefinition } from "@parlance/protocol-versions";
import type { Live, Negotiation } from "./negotiation.js";
import type { Waiting } from "./waiting.js";

/** A conversation with a server, or one after another. */
export interface Upkeep {
  /** The conversation as it is, alive or not. */
  readonly live: Live;
  /** The one to speak in now. */
  ready(): Live | Promise<Live>;
  /**
   * Sends a request in it.
   * @param rerun the tool that the request calls, where it may be called again should the answer be lost
   */
  run<A>(waiting: Waiting, send: (session: Session) => Promise<A>, rerun?: string | undefined): Promise<A>;
  /** Takes note of what the server lists. */
  learn?(tools: readonly ToolDefinition[]): void;
  close(): Promise<void>;
}

/** Begins the upkeep of a conversation that was found. */
export type Keep = (setup: Negotiation, first: Live) => Upkeep;

/** Without upkeep: one conversation, until it ends. */
export const keepOne: Keep = (setup, live) => {
  const isClosed = watchLoss(setup, live);
  return {
    live,
    ready: () => live,
    run: (waiting, send) => {
      waiting.goesTo(live.peer);
      return send(live.session);
    },
    close: async () => {
      isClosed.yes = true;
      await live.peer.close();
      setup.deadlines.close();
    },
  };
};

/** Reports the end of a connection, unless the client was closed before. */
export function watchLoss({ report }: Negotiation, { peer: { closed } }: Live, by = { yes: false }): { yes: boolean } {
  const lost = (): void => {
    if (!by.yes) report({ kind: "server_lost", reason: closed.reason });
  };
  if (closed.aborted) lost();
  else closed.addEventListener("abort", lost, { once: true });
  return by;
}
