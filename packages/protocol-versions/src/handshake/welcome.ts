import { type JsonObject, type Result, serialized } from "@parlance/jsonrpc";
import { mergeCapabilities, untold } from "../capability.js";
import type { ServerFacts } from "../era.js";
import { isJsonObject } from "../json-object.js";
import type { SpokenRevision } from "./state.js";

/**
 * How a server introduces itself under one revision.
 */
export interface Welcome {
  /** The result of `initialize`. */
  readonly result: Result;
  /** The types of change that it promises to tell. */
  readonly promised: ReadonlySet<string>;
}

/**
 * Makes the welcome of a server.
 * @param told which promises of changes can be kept, by their names in capabilities
 * @see MCP 2025-11-25, basic/lifecycle, initialization
 */
export function createWelcome(
  server: ServerFacts,
  { revision, downgrade }: SpokenRevision,
  told: readonly unknown[],
): Welcome {
  const capabilities = untold(downgrade("ServerCapabilities", mergeCapabilities(server.features)), told);
  const result: JsonObject = {
    protocolVersion: revision.version,
    capabilities,
    serverInfo: downgrade("Implementation", server.info),
    instructions: server.instructions,
  };
  return {
    result: serialized(JSON.stringify(result)),
    promised: new Set(Object.keys(capabilities).filter((name) => promisesChanges(capabilities[name]))),
  };
}

function promisesChanges(capability: unknown): boolean {
  return isJsonObject(capability) && capability["listChanged"] === true;
}
