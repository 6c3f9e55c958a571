/**
 * A protocol revision. Compared as an opaque string from a known list, never by date order.
 * @stable
 */
export type ProtocolVersion = "2026-07-28" | "2025-11-25" | "2025-06-18" | "2025-03-26" | "2024-11-05";

/**
 * The two ways of speaking MCP: without a handshake (2026-07-28 on), or `initialize` first.
 * @stable
 */
export type EraName = "stateless" | "handshake";

/** Versions to speak, newest first: one at least. */
export type Versions = readonly [ProtocolVersion, ...ProtocolVersion[]];

/**
 * The revisions without a handshake, newest first.
 * @stable
 */
export const statelessVersions: Versions = ["2026-07-28"];

/**
 * The revisions that start with `initialize`, newest first. `default` leaves out 2025-03-26, the only one with batches.
 * @stable
 */
export const handshakeVersions: {
  readonly default: readonly ProtocolVersion[];
  readonly all: readonly ProtocolVersion[];
} = {
  default: ["2025-11-25", "2025-06-18", "2024-11-05"],
  all: ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"],
};

/**
 * Whether suggestions may depend on the arguments that were chosen before: earlier revisions have no words for that.
 * @see MCP 2025-06-18, changelog
 * @experimental
 */
export function completesInContext(version: string): boolean {
  return version !== "2024-11-05" && version !== "2025-03-26";
}
