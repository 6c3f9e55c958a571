import type { Announce } from "./announcements.js";
import { createAnnouncements } from "./handshake/announce.js";

/**
 * A part for feature sets whose lists change: with it sessions are told, and without it nothing is promised to them.
 * @experimental
 */
export const announcing: { readonly announces?: Announce | undefined } = {
  announces: createAnnouncements,
};
