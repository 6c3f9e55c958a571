import { type Batches, LocalError } from "@parlance/jsonrpc";
import { handshakeVersions, type ProtocolVersion, type Versions } from "../version.js";

/** The one revision whose sessions may carry batches. */
export const batchVersion = "2025-03-26";
/** The one revision in which no server can announce completions, so that each may have them. */
export const oldestVersion = "2024-11-05";
/** The one revision that has all members of `Implementation`. */
export const newestVersion = "2025-11-25";

/**
 * How either side speaks the handshake era.
 * @stable
 */
export interface HandshakeOptions {
  /** The versions to speak. Default: all that can be spoken. */
  readonly versions?: readonly ProtocolVersion[] | undefined;
  /** `batches` of `@parlance/jsonrpc`: without it 2025-03-26, the only version that has them, cannot be spoken. */
  readonly batches?: Batches | undefined;
}

/**
 * The versions to speak, in the order in which they are preferred.
 * @throws LocalError `INVALID_ARGUMENT` when there are none, or one of them cannot be spoken
 */
export function newestFirst({ batches, versions }: HandshakeOptions): Versions {
  const known = batches ? handshakeVersions.all : handshakeVersions.default;
  const wanted = versions ?? known;
  const [newest, ...others] = known.filter((version) => wanted.includes(version));
  if (newest !== undefined && others.length + 1 === wanted.length) return [newest, ...others];
  const got = wanted.join(", ") || "none";
  throw new LocalError(
    "INVALID_ARGUMENT",
    `versions must be some of ${known.join(", ")} (${batchVersion} only with batches), got ${got}`,
  );
}
