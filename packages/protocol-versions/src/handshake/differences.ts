import { LocalError } from "@parlance/jsonrpc";
import type { ProtocolRevision } from "../revision.js";
import type { ProtocolVersion } from "../version.js";

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
export interface SessionRevision extends ProtocolRevision {
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

const v2025_11_25: SessionRevision = {
  version: "2025-11-25",
  batches: false,
  foreignMethods: ["server/discover", "subscriptions/listen", "tasks/update"],
  foreignCodes: [],
  laterFields: { Result: ["resultType", "ttlMs", "cacheScope"] },
  laterBlocks: [],
  elicitation: true,
  richQuestions: true,
};

const v2025_06_18: SessionRevision = /* @__PURE__ */ before(
  v2025_11_25,
  {
    version: "2025-06-18",
    foreignMethods: ["tasks/get", "tasks/result", "tasks/list", "tasks/cancel"],
    foreignCodes: [-32042],
    richQuestions: false,
  },
  {
    ContentBlock: ["icons"],
    Implementation: ["description", "icons", "websiteUrl"],
    Prompt: ["icons"],
    Resource: ["icons"],
    ResourceTemplate: ["icons"],
    SchemaRoot: ["$schema"],
    ServerCapabilities: ["tasks"],
    Tool: ["icons", "execution"],
  },
);

const v2025_03_26: SessionRevision = /* @__PURE__ */ before(
  v2025_06_18,
  {
    version: "2025-03-26",
    batches: true,
    laterBlocks: ["resource_link"],
    elicitation: false,
  },
  {
    Annotations: ["lastModified"],
    ContentBlock: ["_meta"],
    Implementation: ["title"],
    Prompt: ["title", "_meta"],
    PromptArgument: ["title"],
    Resource: ["title", "_meta"],
    ResourceContents: ["_meta"],
    ResourceTemplate: ["title", "_meta"],
    Tool: ["title", "outputSchema", "_meta"],
    "tools/call": ["structuredContent"],
  },
);

const v2024_11_05: SessionRevision = /* @__PURE__ */ before(
  v2025_03_26,
  {
    version: "2024-11-05",
    batches: false,
    laterBlocks: ["resource_link", "audio"],
  },
  {
    ProgressNotificationParams: ["message"],
    ServerCapabilities: ["completions"],
    Tool: ["annotations"],
  },
);

/**
 * The revision before `next`: what it had otherwise, and the members that `next` added. Methods are those of both.
 * A call, so that what does not need it can be left out of a bundle.
 */
function before(
  next: SessionRevision,
  change: Partial<SessionRevision> & Pick<SessionRevision, "version">,
  added: RevisedFields,
): SessionRevision {
  const fields = new Map(Object.entries(next.laterFields));
  for (const [type, names] of Object.entries(added)) fields.set(type, [...(fields.get(type) ?? []), ...names]);
  return {
    ...next,
    ...change,
    foreignMethods: [...next.foreignMethods, ...(change.foreignMethods ?? [])],
    laterFields: Object.fromEntries(fields),
  };
}

/**
 * The revisions of the handshake era by version.
 */
export const handshakeRevisions: ReadonlyMap<string, SessionRevision> = /* @__PURE__ */ new Map(
  /* @__PURE__ */ [v2025_11_25, v2025_06_18, v2025_03_26, v2024_11_05].map((revision) => [revision.version, revision]),
);

/**
 * The revision that an HTTP request without a session is under when it does not say.
 * @see MCP 2025-06-18, basic/transports, protocol version header
 */
export const assumedRevision: SessionRevision = v2025_03_26;

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
