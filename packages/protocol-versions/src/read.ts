import { RpcError, rpcCodes } from "@parlance/jsonrpc";
import { excerpt } from "@parlance/jsonrpc/codec";
import { type LogLevel, logLevels } from "./model/log-level.js";

/** The error of parameters that are not what they should be. */
export function wrongParam(name: string, value: unknown, right: string): RpcError {
  return new RpcError(rpcCodes.invalidParams, `${name} must be ${right}, not ${excerpt(value)}`);
}

/**
 * Reads the name of a log level, compared exactly.
 * @throws RpcError −32602 when there is no such level
 */
export function readLogLevel(value: unknown): LogLevel {
  const level = logLevels.find((known) => known === value);
  if (level === undefined) throw wrongParam("the log level", value, `one of ${logLevels.join(", ")}`);
  return level;
}
