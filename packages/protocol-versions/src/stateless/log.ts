import { isJsonObject } from "../json-object.js";
import type { LogLevel } from "../model/log-level.js";
import { readLogLevel } from "../read.js";
import type { Served } from "../served.js";
import { logLevelKey } from "./envelope.js";

/**
 * The level that a request wants; of a request that does not say, none.
 * @throws RpcError −32602 for what is no level
 */
export function requestLevel({ request, session }: Served): LogLevel | undefined {
  const meta = request.params?.["_meta"];
  const asked = session === undefined && isJsonObject(meta) ? meta[logLevelKey] : undefined;
  return asked === undefined ? undefined : readLogLevel(asked);
}
