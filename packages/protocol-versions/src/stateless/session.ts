import { type JsonObject, type Peer, RpcError, type RpcNotification, unanswered } from "@parlance/jsonrpc";
import type { CallOptions, CallResult, ClientSelf, ServerAnnouncement, Session } from "../era.js";
import { isJsonObject } from "../json-object.js";
import { isImplementation } from "../model/implementation.js";
import { readSupported } from "../offer.js";
import { createProgressTokens, progressMethod } from "../progress-tokens.js";
import type { ProtocolVersion } from "../version.js";
import {
  clientCapabilitiesKey,
  clientInfoKey,
  discoverMethod,
  logLevelKey,
  protocolVersionKey,
  serverInfoKey,
  unsupportedVersionCode,
} from "./envelope.js";
import { readReply } from "./reply.js";

/** What a session of this era starts from. */
export interface SessionStart {
  /** Newest first; a server that changes its mind may be given another of them. */
  readonly versions: readonly ProtocolVersion[];
  readonly version: ProtocolVersion;
  readonly server: ServerAnnouncement;
}

/**
 * The `_meta` that every request carries. One object for all of them: it does not change while the version does not.
 * @see MCP 2026-07-28, basic, per-request metadata
 */
export function createEnvelope(self: ClientSelf, version: ProtocolVersion): JsonObject {
  return {
    [protocolVersionKey]: version,
    [clientInfoKey]: self.info,
    [clientCapabilitiesKey]: self.capabilities,
  };
}

/** Reads what a server says of itself from the result of a probe. */
export function readAnnouncement(result: JsonObject): ServerAnnouncement {
  const { capabilities, instructions } = result;
  return {
    info: readServerInfo(result),
    capabilities: isJsonObject(capabilities) ? capabilities : {},
    instructions: typeof instructions === "string" ? instructions : undefined,
  };
}

function readServerInfo(result: JsonObject): ServerAnnouncement["info"] {
  const meta = result["_meta"];
  const info = isJsonObject(meta) ? meta[serverInfoKey] : undefined;
  return isImplementation(info) ? info : undefined;
}

export function createSession(peer: Peer, self: ClientSelf, start: SessionStart): Session {
  const { versions } = start;
  const tokens = createProgressTokens();
  let { version, server } = start;
  let envelope = createEnvelope(self, version);

  /** The version that a refusal lets us go on with; `undefined` when it is no such refusal, or names the refused one. */
  function successor(error: unknown, refused: ProtocolVersion): ProtocolVersion | undefined {
    if (!(error instanceof RpcError) || error.code !== unsupportedVersionCode) return undefined;
    const supported = readSupported(error.data);
    if (supported === undefined || supported.includes(refused)) return undefined;
    return versions.find((candidate) => supported.includes(candidate));
  }

  /** All of a request in one function: each function that waits costs about as much as the rest of a call. */
  async function ask<T>(
    method: string,
    params: JsonObject,
    options: CallOptions | undefined,
    read: (method: string, result: JsonObject) => T,
  ): Promise<T> {
    const token = options?.onProgress && tokens.issue(options);
    const asked = version;
    try {
      let result: JsonObject;
      try {
        result = await peer.request(method, withEnvelope(params, envelope, options, token), options);
      } catch (error) {
        adopt(successor(error, asked), error);
        result = await peer.request(method, withEnvelope(params, envelope, options, token), options);
      }
      return read(method, result);
    } finally {
      if (token !== undefined) tokens.retire(token);
    }
  }

  function adopt(next: ProtocolVersion | undefined, refusal: unknown): void {
    if (next === undefined) throw refusal;
    // a call beside this one may have been first to hear it
    if (version !== next) envelope = createEnvelope(self, next);
    version = next;
  }

  function readCall(method: string, result: JsonObject): CallResult {
    if (server.info === undefined) server = { ...server, info: readServerInfo(result) };
    return readReply(method, result, self.resultTypes);
  }

  return {
    era: "stateless",
    get version() {
      return version;
    },
    get server() {
      return server;
    },
    call: (method, params, options) => ask(method, params, options, readCall),
    ping: (options) =>
      ask(discoverMethod, {}, options, (_, result) => {
        server = readAnnouncement(result);
      }),
    // a server of this era asks nothing, and a client never sends a response
    request: () => unanswered,
    notification: (message: RpcNotification) => {
      if (message.method === progressMethod && tokens.deliver(message.params)) return;
      self.heard?.(message);
    },
  };
}

/** The protocol's own keys come last: a caller's `_meta` cannot replace them. */
function withEnvelope(
  params: JsonObject,
  envelope: JsonObject,
  options: CallOptions | undefined,
  progressToken: number | undefined,
): JsonObject {
  const { _meta: meta } = params;
  const { logLevel, inputResponses, requestState, capabilities } = options ?? {};
  let own = envelope;
  // most calls have no `_meta` of their caller's, and spreading one object is several times cheaper than two
  if (meta !== undefined) own = { ...(isJsonObject(meta) ? meta : undefined), ...envelope, progressToken };
  else if (progressToken !== undefined) own = { ...envelope, progressToken };
  if (logLevel) own = { ...own, [logLevelKey]: logLevel };
  if (capabilities) own = { ...own, [clientCapabilitiesKey]: capabilities };
  return { inputResponses, requestState, ...params, _meta: own };
}
