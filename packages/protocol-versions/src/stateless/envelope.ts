import { type JsonObject, RpcError, rpcCodes } from "@parlance/jsonrpc";
import { isJsonObject } from "../json-object.js";
import type { ClientCapabilities } from "../model/capability.js";
import { type Implementation, isImplementation } from "../model/implementation.js";
import { isLogLevel, type LogLevel, logLevels } from "../model/log-level.js";

/**
 * The `_meta` keys of the stateless era.
 * @see MCP 2026-07-28, basic, reserved keys
 * @stable
 */
export const envelopeKeys: {
  readonly protocolVersion: "io.modelcontextprotocol/protocolVersion";
  readonly clientCapabilities: "io.modelcontextprotocol/clientCapabilities";
  readonly clientInfo: "io.modelcontextprotocol/clientInfo";
  readonly logLevel: "io.modelcontextprotocol/logLevel";
  readonly serverInfo: "io.modelcontextprotocol/serverInfo";
  readonly subscriptionId: "io.modelcontextprotocol/subscriptionId";
} = {
  protocolVersion: "io.modelcontextprotocol/protocolVersion",
  clientCapabilities: "io.modelcontextprotocol/clientCapabilities",
  clientInfo: "io.modelcontextprotocol/clientInfo",
  logLevel: "io.modelcontextprotocol/logLevel",
  serverInfo: "io.modelcontextprotocol/serverInfo",
  subscriptionId: "io.modelcontextprotocol/subscriptionId",
};

/**
 * The methods that only the stateless era has.
 * @stable
 */
export const statelessMethods: {
  readonly discover: "server/discover";
  readonly listen: "subscriptions/listen";
  readonly acknowledged: "notifications/subscriptions/acknowledged";
} = {
  discover: "server/discover",
  listen: "subscriptions/listen",
  acknowledged: "notifications/subscriptions/acknowledged",
};

/**
 * The error codes that only the stateless era has.
 * @see MCP 2026-07-28, basic, error codes
 * @stable
 */
export const statelessCodes: {
  readonly headerMismatch: -32020;
  readonly missingCapability: -32021;
  readonly unsupportedVersion: -32022;
} = { headerMismatch: -32020, missingCapability: -32021, unsupportedVersion: -32022 };

/**
 * What a request says of itself in `params._meta`.
 * @stable
 */
export interface Envelope {
  readonly version: string;
  readonly capabilities: ClientCapabilities;
  readonly info?: Implementation | undefined;
  readonly logLevel?: LogLevel | undefined;
}

const noMeta: JsonObject = {};

/**
 * Whether a message is written in the stateless era: its `_meta` has the version key, whatever the value.
 * @stable
 */
export function hasEnvelope(params: JsonObject | undefined): boolean {
  const meta = params?.["_meta"];
  return isJsonObject(meta) && Object.hasOwn(meta, envelopeKeys.protocolVersion);
}

/**
 * Reads the envelope of a request.
 * @throws RpcError −32602, `early`, naming the required keys that are missing; −32602 for a bad value of an optional one
 * @see MCP 2026-07-28, basic, per-request metadata
 * @stable
 */
export function readEnvelope(params: JsonObject | undefined, hint = ""): Envelope {
  const meta = isJsonObject(params?.["_meta"]) ? params["_meta"] : noMeta;
  const version = meta[envelopeKeys.protocolVersion];
  const capabilities = meta[envelopeKeys.clientCapabilities];
  if (typeof version !== "string" || !isJsonObject(capabilities)) {
    throw malformed(meta, hint);
  }
  const info = meta[envelopeKeys.clientInfo];
  return {
    version,
    capabilities,
    info: isImplementation(info) ? info : undefined,
    logLevel: readLogLevel(meta[envelopeKeys.logLevel]),
  };
}

function malformed(meta: JsonObject, hint: string): RpcError {
  const faults: string[] = [];
  if (typeof meta[envelopeKeys.protocolVersion] !== "string") {
    faults.push(`${envelopeKeys.protocolVersion} (a string)`);
  }
  if (!isJsonObject(meta[envelopeKeys.clientCapabilities])) {
    faults.push(`${envelopeKeys.clientCapabilities} (an object)`);
  }
  return new RpcError(rpcCodes.invalidParams, `params._meta needs ${faults.join(" and ")}${hint}`, { early: true });
}

function readLogLevel(value: unknown): LogLevel | undefined {
  if (value === undefined || isLogLevel(value)) {
    return value;
  }
  const expected = logLevels.join(", ");
  throw new RpcError(
    rpcCodes.invalidParams,
    `log level ${JSON.stringify(value)} is unknown; known levels are ${expected}`,
  );
}
