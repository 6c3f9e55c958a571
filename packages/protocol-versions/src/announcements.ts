import type { Notify } from "@parlance/jsonrpc";
import type { ChangeBus } from "./change.js";

/**
 * Tells one client of changes.
 * @experimental
 */
export interface Announcer {
  /** Lets go of what was held back, and holds back nothing more. */
  open(): void;
  stop(): void;
}

/**
 * Tells the clients of one server that lists have changed, each those of them that it was promised to hear of. Changes
 * made in one turn are told once; to a client that is not open they are held back.
 * @see MCP 2025-11-25, basic/lifecycle, initialization
 * @experimental
 */
export interface Announcements {
  add(notify: Notify, promised: ReadonlySet<string>): Announcer;
}

/**
 * Begins to tell the clients of one server.
 * @experimental
 */
export type Announce = (changes: ChangeBus) => Announcements;
