import type { Connection } from "@parlance/jsonrpc";
import type { Feature } from "../feature.js";
import type { LogLevel } from "../model/log-level.js";
import { readLogLevel } from "../read.js";
import { type Served, served } from "../served.js";
import { notFound } from "../serving.js";

/**
 * What is sent to a session until the client says which level it wants.
 * @see MCP 2025-11-25, server/utilities/logging
 */
const defaultLogLevel: LogLevel = "info";

const levels: WeakMap<Connection, LogLevel> = /* @__PURE__ */ new WeakMap();

/** The level that a session wants. */
export function sessionLevel({ session }: Served): LogLevel | undefined {
  return session && (levels.get(session.connection) ?? defaultLogLevel);
}

/**
 * Lets a session say which level it wants.
 * @throws RpcError −32602 for what is no level, −32601 where there is no session
 */
export const setLevel: Feature = ({ method, params, [served]: within }) => {
  if (within?.session === undefined) throw notFound(method);
  levels.set(within.session.connection, readLogLevel(params["level"]));
  return { type: "complete", result: {} };
};
