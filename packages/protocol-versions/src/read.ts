import { RpcError, rpcCodes } from "@parlance/jsonrpc";
import { excerpt } from "@parlance/jsonrpc/codec";

/** The error of parameters that are not what they should be. */
export function wrongParam(name: string, value: unknown, right: string): RpcError {
  return new RpcError(rpcCodes.invalidParams, `${name} must be ${right}, not ${excerpt(value)}`);
}
