import { LocalError } from "@parlance/jsonrpc";
import { handshakeVersions, type ProtocolVersion } from "../version.js";

/** The one revision whose sessions may carry batches. */
export const batchVersion = "2025-03-26";
/** The one revision in which no server can announce completions, so that each may have them. */
export const oldestVersion = "2024-11-05";
/** The one revision that has all members of `Implementation`. */
export const newestVersion = "2025-11-25";

/**
 * The versions to speak, in the order in which they are preferred.
 * @throws LocalError `INVALID_ARGUMENT` when there are none, or one of them is of another era
 */
export function newestFirst(wanted: readonly ProtocolVersion[]): readonly [ProtocolVersion, ...ProtocolVersion[]] {
  const { all } = handshakeVersions;
  const [newest, ...others] = all.filter((version) => wanted.includes(version));
  if (newest !== undefined && others.length + 1 === wanted.length) return [newest, ...others];
  const got = wanted.join(", ") || "none";
  throw new LocalError("INVALID_ARGUMENT", `versions must be some of ${all.join(", ")}, got ${got}`);
}
