import { RpcError, rpcCodes } from "@parlance/jsonrpc";
import { isJsonObject } from "@parlance/protocol-versions";

/** The code of servers that shake hands. */
const resourceNotFound = -32002;

/**
 * Whether a server said that a resource does not exist. Invalid params mean that only when they name the resource:
 * they may as well be about the request.
 * @see MCP 2026-07-28, server/resources, error handling
 * @stable
 */
export function isResourceNotFound(error: unknown): error is RpcError {
  if (!(error instanceof RpcError)) return false;
  if (error.code === resourceNotFound) return true;
  const { code, data } = error;
  return code === rpcCodes.invalidParams && isJsonObject(data) && typeof data["uri"] === "string";
}
