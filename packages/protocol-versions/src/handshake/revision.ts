import { type JsonObject, type Result, rpcCodes, serializedText } from "@parlance/jsonrpc";
import { memo } from "../memo.js";
import type { Speech } from "../serving.js";
import type { ProtocolVersion } from "../version.js";
import { handshakeRevision, type SessionRevision } from "./differences.js";
import { createDowngrade, type Downgrade } from "./downgrade.js";

const resourceNotFoundCode = -32002;
const pagesFirstCode = -32042;

/**
 * A revision, ready to be spoken.
 */
export interface SpokenRevision extends Speech {
  readonly revision: SessionRevision;
  readonly downgrade: Downgrade;
}

/**
 * Makes a revision ready. Results go out bare, and without what it does not have; a protocol code that it does not have
 * becomes −32603, and what the client should have declared has no code of its own.
 * @see MCP 2025-11-25, server/resources, error handling
 */
export function speak(version: ProtocolVersion): SpokenRevision {
  const revision = handshakeRevision(version);
  const downgrade = createDowngrade(revision);
  /** The texts of results that stay the same. */
  const texts = new WeakMap<JsonObject, Result>();
  return {
    revision,
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
    thrown: ({ code }) => (code === pagesFirstCode && !revision.richQuestions ? rpcCodes.internalError : code),
  };
}
