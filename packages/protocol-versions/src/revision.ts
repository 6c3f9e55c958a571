import type { ProtocolVersion } from "./version.js";

/**
 * What tells a protocol revision from the others, as data. What no revision knows is in no list, and passes.
 */
export interface ProtocolRevision {
  readonly version: ProtocolVersion;
  /** Methods of other revisions that a client may not call under this one: −32601 whoever offers them. */
  readonly foreignMethods: readonly string[];
  /** Error codes of the protocol that this revision does not have. */
  readonly foreignCodes: readonly number[];
}
