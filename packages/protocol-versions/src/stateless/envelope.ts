import { type JsonObject, RpcError, rpcCodes } from "@parlance/jsonrpc";
import type { Caller } from "../feature.js";
import { isJsonObject } from "../json-object.js";
import { isImplementation } from "../model/implementation.js";
import { statelessVersions } from "../version.js";

// Constants of their own rather than members of one object: a bundle has only those it uses.

/**
 * The `_meta` keys of the stateless era.
 * @see MCP 2026-07-28, basic, reserved keys
 */
export const protocolVersionKey = "io.modelcontextprotocol/protocolVersion";
export const clientCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
export const clientInfoKey = "io.modelcontextprotocol/clientInfo";
export const logLevelKey = "io.modelcontextprotocol/logLevel";
export const serverInfoKey = "io.modelcontextprotocol/serverInfo";
export const subscriptionIdKey = "io.modelcontextprotocol/subscriptionId";

/** The method that only the stateless era has. */
export const discoverMethod = "server/discover";

/** The method by which changes are heard in the stateless era. */
export const listenMethod = "subscriptions/listen";

/**
 * What a request says of itself in `params._meta`.
 */
export interface Envelope {
  readonly version: string;
  readonly caller: Caller;
}

const noMeta: JsonObject = {};

/**
 * Whether a message is written in the stateless era: its `_meta` has the version key, whatever the value.
 */
export function hasEnvelope(params: JsonObject | undefined): boolean {
  const meta = params?.["_meta"];
  return isJsonObject(meta) && Object.hasOwn(meta, protocolVersionKey);
}

/**
 * Reads the envelope of a request.
 * @param on the versions that the server speaks
 * @throws RpcError −32602, `early`, naming the required keys that are missing
 * @see MCP 2026-07-28, basic, per-request metadata
 */
export function readEnvelope(params: JsonObject | undefined, on: readonly string[]): Envelope {
  const meta = isJsonObject(params?.["_meta"]) ? params["_meta"] : noMeta;
  const version = meta[protocolVersionKey];
  const capabilities = meta[clientCapabilitiesKey];
  const isVersioned = typeof version === "string";
  if (!isVersioned || !isJsonObject(capabilities)) {
    const faults = [];
    if (!isVersioned) faults.push(`${protocolVersionKey} (a string)`);
    if (!isJsonObject(capabilities)) faults.push(`${clientCapabilitiesKey} (an object)`);
    const speaksBoth = on.length > statelessVersions.length;
    const hint = speaksBoth ? "; a session that starts with initialize would also do" : "";
    throw new RpcError(rpcCodes.invalidParams, `params._meta needs ${faults.join(" and ")}${hint}`, { early: true });
  }
  const info = meta[clientInfoKey];
  return { version, caller: { info: isImplementation(info) ? info : undefined, capabilities } };
}
