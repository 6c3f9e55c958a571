import type { RpcError } from "@parlance/jsonrpc";
import { isJsonObject } from "../json-object.js";

/**
 * The error codes that only the stateless era has.
 * @see MCP 2026-07-28, basic, error codes
 */
export const headerMismatchCode = -32020;
export const missingCapabilityCode = -32021;
export const unsupportedVersionCode = -32022;

/**
 * Whether an error is one that features of this era mean, and no other era has: it says what it has to say besides its code.
 * @see MCP 2026-07-28, basic, error codes
 */
export function isEraError({ code, data }: RpcError): boolean {
  if (code === headerMismatchCode) return true;
  return code === missingCapabilityCode && isJsonObject(data) && isJsonObject(data["requiredCapabilities"]);
}
