import type { Result } from "@parlance/jsonrpc";
import { mergeCapabilities, untold } from "../capability.js";
import type { ServerFacts } from "../era.js";
import type { CacheHint } from "../feature.js";
import { discoverMethod } from "./envelope.js";
import type { ResultShaper } from "./result.js";

/**
 * The answer to `server/discover`, made once for a server. Changes are heard on a listen stream, so without one nothing
 * is promised that needs it.
 * @see MCP 2026-07-28, server/discover
 */
export function describeServer(
  server: ServerFacts,
  shaper: ResultShaper,
  listens: boolean,
  cache: CacheHint | undefined,
): Result {
  const capabilities = mergeCapabilities(server.features);
  const description = {
    supportedVersions: server.versions,
    capabilities: listens ? capabilities : untold(capabilities),
    instructions: server.instructions,
  };
  return shaper.complete(discoverMethod, description, false, cache);
}
