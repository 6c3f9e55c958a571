import { LocalError } from "@parlance/jsonrpc";
import { handshakeVersions, type ProtocolVersion } from "../version.js";

/**
 * Whose members came one revision after another: a type of the schema, the result of a method, or the parameters of a
 * question.
 */
export type RevisedType =
  | "Annotations"
  | "ContentBlock"
  | "Implementation"
  | "ProgressNotificationParams"
  | "Prompt"
  | "PromptArgument"
  | "Resource"
  | "ResourceContents"
  | "ResourceTemplate"
  | "Result"
  | "SamplingMessage"
  | "SchemaRoot"
  | "ServerCapabilities"
  | "Tool"
  | "elicitation/create"
  | "sampling/createMessage"
  | "tools/call";

/** Members by what they were added to. */
export type RevisedFields = Readonly<Partial<Record<RevisedType, readonly string[]>>>;

/**
 * A revision of this era, told by what came after it.
 */
export interface SessionRevision {
  readonly version: ProtocolVersion;
  /** Whether a session may carry JSON-RPC batches. */
  readonly batches: boolean;
  /** Members that a later revision added: not sent under this one. */
  readonly laterFields: RevisedFields;
  /** Types of content blocks that a later revision added: sent as text under this one. */
  readonly laterBlocks: readonly string[];
  /** Whether a client may be asked to fill in something. */
  readonly elicitation: boolean;
  /** Whether it may be asked to open a page, and to sample with tools and with several blocks a message. */
  readonly richQuestions: boolean;
}

/**
 * What each revision added to a type: the one after this era first, then its own, newest first. Written as lists of words,
 * since every server carries it.
 */
const added: Readonly<Partial<Record<RevisedType, readonly string[]>>> = {
  Annotations: ["", "", "lastModified"],
  ContentBlock: ["", "icons", "_meta"],
  Implementation: ["", "description icons websiteUrl", "title"],
  ProgressNotificationParams: ["", "", "", "message"],
  Prompt: ["", "icons", "title _meta"],
  PromptArgument: ["", "", "title"],
  Resource: ["", "icons", "title _meta"],
  ResourceContents: ["", "", "_meta"],
  ResourceTemplate: ["", "icons", "title _meta"],
  Result: ["resultType ttlMs cacheScope"],
  SchemaRoot: ["", "$schema"],
  ServerCapabilities: ["", "tasks", "", "completions"],
  Tool: ["", "icons execution", "title outputSchema _meta", "annotations"],
  "tools/call": ["", "", "structuredContent"],
};

/** @param age how many revisions of the era are newer */
function revisionOf(version: ProtocolVersion, age: number): SessionRevision {
  const later = Object.entries(added).map(([type, names]) => [type, words(names.slice(0, age + 1).join(" "))] as const);
  return {
    version,
    batches: age === 2,
    laterFields: Object.fromEntries(later.filter(([, names]) => names.length > 0)),
    laterBlocks: ["resource_link", "audio"].slice(0, Math.max(0, age - 1)),
    elicitation: age < 2,
    richQuestions: age < 1,
  };
}

function words(text: string): readonly string[] {
  return text.split(" ").filter((word) => word !== "");
}

/**
 * The revisions of the handshake era by version.
 */
export const handshakeRevisions: ReadonlyMap<string, SessionRevision> = /* @__PURE__ */ new Map(
  /* @__PURE__ */ handshakeVersions.all.map((version, age) => [version, revisionOf(version, age)]),
);

/**
 * The revision of a version that the era has.
 * @throws LocalError `INVALID_ARGUMENT` when the version is not of this era
 */
export function handshakeRevision(version: ProtocolVersion): SessionRevision {
  const revision = handshakeRevisions.get(version);
  if (revision === undefined) {
    throw new LocalError("INVALID_ARGUMENT", `protocol version ${version} does not start with a handshake`);
  }
  return revision;
}
