import { RpcError, rpcCodes } from "@parlance/jsonrpc";
import type { Refused } from "../feature.js";
import { isJsonObject } from "../json-object.js";
import { recoded } from "../refusal.js";
import type { ProtocolRevision } from "../revision.js";
import { headerMismatchCode, missingCapabilityCode } from "./envelope.js";

/**
 * The codes of refusals.
 * @see MCP 2026-07-28, basic, error codes
 */
export const refusalCodes: Readonly<Record<Refused["reason"], number>> = {
  invalid_params: rpcCodes.invalidParams,
  not_found: rpcCodes.invalidParams,
  needs_capability: missingCapabilityCode,
  header_mismatch: headerMismatchCode,
};

/** What a resource that does not exist is called in the other era. */
const resourceNotFoundCode = -32002;

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
  const isForeign = revision.foreignCodes.includes(thrown.code);
  const code = isForeign && thrown.code === resourceNotFoundCode ? rpcCodes.invalidParams : rpcCodes.internalError;
  return recoded(thrown, code);
}

function mayEmit({ code, data }: RpcError): boolean {
  if (code === missingCapabilityCode) {
    return isJsonObject(data) && isJsonObject(data["requiredCapabilities"]);
  }
  return code === headerMismatchCode || (Number.isInteger(code) && (code < reservedFrom || code > reservedTo));
}
