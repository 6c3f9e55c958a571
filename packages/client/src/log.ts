import { isJsonObject, type LogLevel, type LogParams, logLevels } from "@parlance/protocol-versions";
import type { Client } from "./client.js";
import { type Inner, inner } from "./inner.js";
import { checkAnnounced } from "./need.js";
import { check } from "./option.js";
import type { RequestOptions } from "./waiting.js";

/**
 * Hears what the server logs, of every level that was asked for: with `setLogLevel`, or for one request with its
 * `logLevel`. A server that shakes hands logs from a level of its own choice until it is told one.
 * @returns what ends that
 * @see MCP 2026-07-28, server/utilities/logging
 * @stable
 */
export function onLog(client: Client, hear: (message: LogParams) => void): () => void {
  const { hearing } = client[inner];
  const listener = ({ method, params }: { readonly method: string; readonly params?: unknown }): void => {
    if (method === "notifications/message" && isLog(params)) hear(params);
  };
  hearing.add(listener);
  return () => void hearing.delete(listener);
}

function isLog(params: unknown): params is LogParams {
  return isJsonObject(params) && logLevels.some((level) => level === params["level"]);
}

const setLevel = "logging/setLevel";
const keeping: WeakSet<Inner> = /* @__PURE__ */ new WeakSet();

/**
 * Asks for the log messages of a level and above: all that the server sends from now on, and also once it was started
 * again. A stateless server is asked with each request, and logs nothing beside those.
 * @throws LocalError `UNSUPPORTED` when the server does not log; `INVALID_ARGUMENT` for a level that is none
 * @see MCP 2025-11-25, server/utilities/logging; MCP 2026-07-28, server/utilities/logging, per-request log level
 * @stable
 */
export async function setLogLevel(client: Client, level: LogLevel, options: RequestOptions = {}): Promise<void> {
  check("level", level, logLevels.includes(level), `one of ${logLevels.join(", ")}`);
  const parts = client[inner];
  checkAnnounced(setLevel, parts.upkeep.live.session.server);
  parts.logLevel = level;
  keep(parts);
  if (client.server.era === "handshake") await client.request(setLevel, { level }, options);
}

/** Tells each session that takes the place of another. */
function keep(parts: Inner): void {
  if (keeping.has(parts)) return;
  keeping.add(parts);
  const { send, report, upkeep } = parts;
  let { session: told } = upkeep.live;
  parts.send = async (session, method, params, options) => {
    if (session !== told) {
      told = session;
      const { logLevel: level } = parts;
      if (session.era === "handshake" && method !== setLevel) {
        await session.call(setLevel, { level }).catch((error) => {
          report({ kind: "not_restored", method: setLevel, error });
        });
      }
    }
    return send(session, method, params, options);
  };
}
