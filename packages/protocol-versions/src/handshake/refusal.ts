import { RpcError, rpcCodes } from "@parlance/jsonrpc";
import type { Refused } from "../feature.js";
import { recoded } from "../refusal.js";
import type { ProtocolRevision } from "../revision.js";

const resourceNotFoundCode = -32002;

/**
 * The codes of refusals. What the client should have declared has none of its own here.
 * @see MCP 2025-11-25, server/resources, error handling
 */
export function refusalCodes(method: string): Readonly<Record<Refused["reason"], number>> {
  return {
    invalid_params: rpcCodes.invalidParams,
    not_found: method.startsWith("resources/") ? resourceNotFoundCode : rpcCodes.invalidParams,
    needs_capability: rpcCodes.invalidRequest,
    header_mismatch: rpcCodes.invalidParams,
  };
}

/**
 * What a thrown error becomes under a revision: a protocol code that the revision does not have becomes −32603.
 */
export function admissible(thrown: unknown, revision: ProtocolRevision): unknown {
  return thrown instanceof RpcError && revision.foreignCodes.includes(thrown.code)
    ? recoded(thrown, rpcCodes.internalError)
    : thrown;
}
