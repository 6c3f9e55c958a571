import { type JsonObject, RpcError, rpcCodes } from "@parlance/jsonrpc";
import type { Refused } from "../feature.js";
import { isJsonObject } from "../json-object.js";
import type { ProtocolRevision } from "../revision.js";
import { handshakeCodes } from "./initialize.js";

/**
 * The error of this era for a refusal. What the client should have declared has no code of its own here.
 * @see MCP 2025-11-25, server/resources, error handling
 */
export function refusalError(refused: Refused, method: string, params: JsonObject | undefined): RpcError {
  const { reason, message, data } = refused;
  switch (reason) {
    case "not_found":
      return method.startsWith("resources/")
        ? new RpcError(handshakeCodes.resourceNotFound, message, { data: withUri(data, params) })
        : new RpcError(rpcCodes.invalidParams, message, { data });
    case "needs_capability":
      return new RpcError(rpcCodes.invalidRequest, message, { data });
    case "invalid_params":
    case "header_mismatch":
      return new RpcError(rpcCodes.invalidParams, message, { data });
    default:
      return reason satisfies never;
  }
}

function withUri(data: unknown, params: JsonObject | undefined): unknown {
  const uri = params?.["uri"];
  return data === undefined || isJsonObject(data) ? { uri, ...data } : data;
}

/**
 * What a thrown error becomes under a revision: a protocol code that the revision does not have becomes −32603.
 */
export function admissible(thrown: unknown, revision: ProtocolRevision): unknown {
  return thrown instanceof RpcError && revision.foreignCodes.includes(thrown.code)
    ? new RpcError(rpcCodes.internalError, thrown.message, { data: thrown.data, cause: thrown })
    : thrown;
}
