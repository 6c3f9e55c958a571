import { type JsonObject, RpcError, rpcCodes } from "@parlance/jsonrpc";
import { isLogLevel, type LogLevel, logLevels } from "../model/log-level.js";

/**
 * What is sent until the client says which level it wants.
 * @see MCP 2025-11-25, server/utilities/logging
 */
export const defaultLogLevel: LogLevel = "info";

/**
 * Reads the level that `logging/setLevel` asks for.
 * @throws RpcError −32602 when there is no such level
 */
export function readLevel(params: JsonObject | undefined): LogLevel {
  const level = params?.["level"];
  if (isLogLevel(level)) {
    return level;
  }
  throw new RpcError(
    rpcCodes.invalidParams,
    `log level ${JSON.stringify(level)} is unknown; known levels are ${logLevels.join(", ")}`,
  );
}
