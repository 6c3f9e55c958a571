import { type JsonObject, type Result, rpcCodes, serializedText } from "@parlance/jsonrpc";
import { memo } from "../memo.js";
import type { Downgrade } from "../served.js";
import type { Speech } from "../serving.js";
import { handshakeVersions, type ProtocolVersion } from "../version.js";
import { createDowngrade } from "./downgrade.js";

const resourceNotFoundCode = -32002;
const pagesFirstCode = -32042;

/**
 * A revision, ready to be spoken.
 */
export interface SpokenRevision extends Speech {
  readonly version: ProtocolVersion;
  readonly downgrade: Downgrade;
}

/** How many revisions of the era are newer. */
export function ageOf(version: ProtocolVersion): number {
  return handshakeVersions.all.indexOf(version);
}

/**
 * Makes a revision ready. Results go out bare, and without what it does not have; a protocol code that it does not have
 * becomes −32603, and what the client should have declared has no code of its own.
 * @see MCP 2025-11-25, server/resources, error handling
 */
export function speak(version: ProtocolVersion): SpokenRevision {
  const age = ageOf(version);
  const downgrade = createDowngrade(age);
  /** The texts of results that stay the same. */
  const texts = new WeakMap<JsonObject, Result>();
  return {
    version,
    downgrade,
    shape(method, outcome) {
      const { result } = outcome;
      const bare = (): JsonObject => downgrade("Result", downgrade(method, result));
      return outcome.type === "complete" && outcome.stable === true
        ? memo(texts, result, () => ({ [serializedText]: JSON.stringify(bare()) }))
        : bare();
    },
    refusal(reason, method) {
      if (reason === "needs_capability") return rpcCodes.invalidRequest;
      return reason === "not_found" && method.startsWith("resources/") ? resourceNotFoundCode : rpcCodes.invalidParams;
    },
    thrown: ({ code }) => (code === pagesFirstCode && age > 0 ? rpcCodes.internalError : code),
  };
}
