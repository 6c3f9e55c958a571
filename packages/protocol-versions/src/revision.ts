import type { ReservedPrefixes } from "./meta-key.js";
import type { EraName, ProtocolVersion } from "./version.js";

/**
 * A type of the schema whose members came one revision after another.
 * @stable
 */
export type RevisedType =
  | "Annotations"
  | "CallToolResult"
  | "ContentBlock"
  | "CreateMessageRequestParams"
  | "ElicitRequestParams"
  | "Implementation"
  | "SchemaRoot"
  | "Prompt"
  | "PromptArgument"
  | "ProgressNotificationParams"
  | "Resource"
  | "ResourceContents"
  | "ResourceLink"
  | "ResourceTemplate"
  | "Result"
  | "SamplingMessage"
  | "ServerCapabilities"
  | "Tool";

/**
 * What tells a protocol revision from the others, as data. What no revision knows is in no list, and passes.
 * @stable
 */
export interface ProtocolRevision {
  readonly version: ProtocolVersion;
  readonly era: EraName;
  /** Whether a session may carry JSON-RPC batches. */
  readonly batches: boolean;
  /** Methods of other revisions that a client may not call under this one: −32601 whoever offers them. */
  readonly foreignMethods: readonly string[];
  /** What a server may ask a client. */
  readonly questions: readonly string[];
  /** Members that a later revision added, type by type: not sent under this one. */
  readonly laterFields: Readonly<Partial<Record<RevisedType, readonly string[]>>>;
  /** Types of content blocks that a later revision added: sent as text under this one. */
  readonly laterBlocks: readonly string[];
  /** What `structuredContent` and the root of an `outputSchema` may be. */
  readonly structured: "none" | "object" | "any";
  /** Whether the content of a sampling message may be an array of blocks. */
  readonly samplingArrays: boolean;
  /** Whether a question in URL mode carries an `elicitationId`. */
  readonly elicitationIds: boolean;
  /** Which prefixes of `_meta` keys are the protocol's. */
  readonly reservedPrefixes: ReservedPrefixes;
  /** Error codes of the protocol that this revision does not have. */
  readonly foreignCodes: readonly number[];
}
