import { RpcError, rpcCodes } from "@parlance/jsonrpc";

/** The codes of the stateless era that HTTP answers with 400: header mismatch, missing capability, unsupported version. */
const refusedCodes: readonly number[] = [-32020, -32021, -32022];

/**
 * The HTTP status of an error that was found before anything was sent.
 * @see MCP 2026-07-28, basic/transports/streamable-http
 */
export function statusOf(error: unknown): number {
  if (!(error instanceof RpcError)) return 200;
  if (error.early || refusedCodes.includes(error.code)) return 400;
  return error.code === rpcCodes.methodNotFound ? 404 : 200;
}
