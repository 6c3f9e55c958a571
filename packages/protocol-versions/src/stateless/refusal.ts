import { type JsonObject, RpcError, rpcCodes } from "@parlance/jsonrpc";
import type { Refused } from "../feature.js";
import { isJsonObject } from "../json-object.js";
import type { ProtocolRevision } from "../revision.js";
import type { ProtocolVersion } from "../version.js";
import { statelessCodes } from "./envelope.js";

/**
 * The error of this era for a refusal.
 * @see MCP 2026-07-28, basic, error codes
 */
export function refusalError(refused: Refused, params: JsonObject | undefined): RpcError {
  const { reason, message, data } = refused;
  switch (reason) {
    case "invalid_params":
      return new RpcError(rpcCodes.invalidParams, message, { data });
    case "not_found":
      return new RpcError(rpcCodes.invalidParams, message, { data: data ?? named(params) });
    case "needs_capability":
      return new RpcError(statelessCodes.missingCapability, message, { data });
    case "header_mismatch":
      return new RpcError(statelessCodes.headerMismatch, message, { data });
    default:
      return reason satisfies never;
  }
}

function named(params: JsonObject | undefined): JsonObject | undefined {
  return typeof params?.["uri"] === "string" ? { uri: params["uri"] } : undefined;
}

/**
 * Names the versions that would do.
 * @see MCP 2026-07-28, basic/versioning, unsupported versions
 */
export function unsupportedVersion(requested: unknown, supported: readonly ProtocolVersion[]): RpcError {
  const asked = typeof requested === "string" ? requested : "";
  return new RpcError(
    statelessCodes.unsupportedVersion,
    `protocol version ${JSON.stringify(asked)} is not supported; supported are ${supported.join(", ")}`,
    { data: { supported, requested: asked }, early: true },
  );
}

const reservedFrom = -32099;
const reservedTo = -32000;

/**
 * What a thrown error becomes on this era's wire. An `RpcError` keeps its message and data, but a code that the
 * protocol reserves and that a feature cannot mean becomes the standard one; anything else thrown stays as it is.
 * @see MCP 2026-07-28, basic, error codes
 */
export function admissible(thrown: unknown, revision: ProtocolRevision): unknown {
  if (!(thrown instanceof RpcError) || mayEmit(thrown)) {
    return thrown;
  }
  const notFound = thrown.code === -32002 && revision.foreignCodes.includes(thrown.code);
  const code = notFound ? rpcCodes.invalidParams : rpcCodes.internalError;
  return new RpcError(code, thrown.message, { data: thrown.data, cause: thrown });
}

function mayEmit({ code, data }: RpcError): boolean {
  if (code === statelessCodes.missingCapability) {
    return isJsonObject(data) && isJsonObject(data["requiredCapabilities"]);
  }
  return (
    code === statelessCodes.headerMismatch || (Number.isInteger(code) && (code < reservedFrom || code > reservedTo))
  );
}
