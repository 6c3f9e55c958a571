import type { ProtocolRevision, RevisedType } from "../revision.js";
import type { ProtocolVersion } from "../version.js";
import { handshakeCodes } from "./initialize.js";

/**
 * What one revision added to the one before it.
 */
interface Additions {
  readonly fields: Readonly<Partial<Record<RevisedType, readonly string[]>>>;
  readonly blocks?: readonly string[] | undefined;
}

const with2025_03_26: Additions = {
  fields: {
    ProgressNotificationParams: ["message"],
    ServerCapabilities: ["completions"],
    Tool: ["annotations"],
  },
  blocks: ["audio"],
};

const with2025_06_18: Additions = {
  fields: {
    Annotations: ["lastModified"],
    CallToolResult: ["structuredContent"],
    ContentBlock: ["_meta"],
    Implementation: ["title"],
    Prompt: ["title", "_meta"],
    PromptArgument: ["title"],
    Resource: ["title", "_meta"],
    ResourceContents: ["_meta"],
    ResourceTemplate: ["title", "_meta"],
    Tool: ["title", "outputSchema", "_meta"],
  },
  blocks: ["resource_link"],
};

const with2025_11_25: Additions = {
  fields: {
    CreateMessageRequestParams: ["tools", "toolChoice", "task"],
    ElicitRequestParams: ["mode", "url", "elicitationId", "task"],
    Implementation: ["description", "icons", "websiteUrl"],
    SchemaRoot: ["$schema"],
    Prompt: ["icons"],
    Resource: ["icons"],
    ResourceLink: ["icons"],
    ResourceTemplate: ["icons"],
    SamplingMessage: ["_meta"],
    ServerCapabilities: ["tasks"],
    Tool: ["icons", "execution"],
  },
};

const afterTheHandshake: Additions = {
  fields: { Result: ["resultType", "ttlMs", "cacheScope"] },
};

function later(...additions: readonly Additions[]): Pick<ProtocolRevision, "laterFields" | "laterBlocks"> {
  const laterFields: Partial<Record<RevisedType, readonly string[]>> = {};
  for (const { fields } of additions) {
    for (const [type, names] of Object.entries(fields) as [RevisedType, readonly string[]][]) {
      laterFields[type] = [...(laterFields[type] ?? []), ...names];
    }
  }
  return { laterFields, laterBlocks: additions.flatMap((added) => added.blocks ?? []) };
}

const afterTheHandshakeMethods = ["server/discover", "subscriptions/listen", "tasks/update"];
const taskMethods = ["tasks/get", "tasks/result", "tasks/list", "tasks/cancel"];

const v2025_11_25: ProtocolRevision = {
  version: "2025-11-25",
  era: "handshake",
  batches: false,
  foreignMethods: afterTheHandshakeMethods,
  questions: ["sampling/createMessage", "roots/list", "elicitation/create"],
  ...later(afterTheHandshake),
  structured: "object",
  samplingArrays: true,
  elicitationIds: true,
  reservedPrefixes: "second-label",
  foreignCodes: [],
};

const v2025_06_18: ProtocolRevision = {
  ...v2025_11_25,
  version: "2025-06-18",
  foreignMethods: [...afterTheHandshakeMethods, ...taskMethods],
  ...later(with2025_11_25, afterTheHandshake),
  samplingArrays: false,
  elicitationIds: false,
  reservedPrefixes: "label-before-last",
  foreignCodes: [handshakeCodes.urlElicitationRequired],
};

const v2025_03_26: ProtocolRevision = {
  ...v2025_06_18,
  version: "2025-03-26",
  batches: true,
  questions: ["sampling/createMessage", "roots/list"],
  ...later(with2025_06_18, with2025_11_25, afterTheHandshake),
  structured: "none",
  reservedPrefixes: "none",
};

const v2024_11_05: ProtocolRevision = {
  ...v2025_03_26,
  version: "2024-11-05",
  batches: false,
  ...later(with2025_03_26, with2025_06_18, with2025_11_25, afterTheHandshake),
};

/**
 * The revisions of the handshake era by version.
 * @stable
 */
export const handshakeRevisions: ReadonlyMap<string, ProtocolRevision> = new Map(
  [v2025_11_25, v2025_06_18, v2025_03_26, v2024_11_05].map((revision) => [revision.version, revision]),
);

/**
 * The revision that an HTTP request without a session is under when it does not say.
 * @see MCP 2025-06-18, basic/transports, protocol version header
 * @stable
 */
export const assumedRevision: ProtocolRevision = v2025_03_26;

/**
 * The revision of a version that the era has.
 * @throws Error when the version is not of this era
 * @stable
 */
export function handshakeRevision(version: ProtocolVersion): ProtocolRevision {
  const revision = handshakeRevisions.get(version);
  if (revision === undefined) {
    throw new Error(`protocol version ${version} does not start with a handshake`);
  }
  return revision;
}
