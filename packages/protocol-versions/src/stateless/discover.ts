import type { JsonObject, Result } from "@parlance/jsonrpc";
import { mergeCapabilities } from "../capability.js";
import type { ServerFacts } from "../era.js";
import { isJsonObject } from "../json-object.js";
import { discoverMethod } from "./envelope.js";
import type { ResultShaper } from "./result.js";

/**
 * The answer to `server/discover`, made once for a server.
 * @see MCP 2026-07-28, server/discover
 */
export function describeServer(server: ServerFacts, capabilities: JsonObject, shaper: ResultShaper): Result {
  return shaper.complete(discoverMethod, {
    supportedVersions: server.versions,
    capabilities,
    instructions: server.instructions,
  });
}

/**
 * What a server announces in this era. Changes are heard on a listen stream, so what only a listen stream can keep is
 * not announced.
 */
export function announcedCapabilities(server: ServerFacts): JsonObject {
  return Object.fromEntries(
    Object.entries(mergeCapabilities(server.features)).map(([name, value]) => [name, withoutListening(value)]),
  );
}

function withoutListening(capability: unknown): unknown {
  if (!isJsonObject(capability)) {
    return capability;
  }
  const { listChanged: _listChanged, subscribe: _subscribe, ...rest } = capability;
  return rest;
}
