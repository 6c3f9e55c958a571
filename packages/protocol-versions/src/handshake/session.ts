import { type Batches, type JsonObject, LocalError, type Peer } from "@parlance/jsonrpc";
import { excerpt } from "@parlance/jsonrpc/codec";
import { converse, type LiveSession } from "../conversation.js";
import type { ClientSelf, Session, Settled } from "../era.js";
import { isJsonObject } from "../json-object.js";
import { readAnnouncement, successor } from "../opening.js";
import type { ProtocolVersion } from "../version.js";
import { initializedMethod, initializeMethod, pingMethod } from "./initialize.js";
import { batchVersion, newestVersion, oldestVersion } from "./versions.js";

/** A session that is opened by a handshake, and may be opened anew. */
export interface HandshakeSession extends Session {
  /** Shakes hands. @returns the version. @throws what the server refused with; LocalError `VERSION_MISMATCH` */
  shake(signal: AbortSignal | undefined): Promise<ProtocolVersion>;
}

/**
 * Answers a `ping` at any time, from before the handshake on, and passes other questions to the client.
 * @param versions newest first
 * @param first with the version to offer
 * @see MCP 2025-11-25, basic/lifecycle; basic/utilities/ping
 */
export function createSession(
  peer: Peer,
  self: ClientSelf,
  versions: readonly ProtocolVersion[],
  first: Settled,
  batches: Batches | undefined,
): HandshakeSession {
  const { ask, notification } = converse(self, {
    request: peer.request,
    // tokens are ours to give: one of the caller's could be that of another call
    dress: (params, _, progressToken) => {
      const { _meta: meta } = params;
      if (meta === undefined && progressToken === undefined) return params;
      return { ...params, _meta: { ...(isJsonObject(meta) && meta), progressToken } };
    },
    again: (error) => {
      throw error;
    },
  });

  function initialize(signal: AbortSignal | undefined): Promise<JsonObject> {
    const { name, version } = self.info;
    const params = {
      protocolVersion: session.version,
      capabilities: { ...self.capabilities, ...self.sessionCapabilities },
      // an earlier revision does not have all of its members
      clientInfo: session.version === newestVersion ? self.info : { name, version },
    };
    return peer.request(initializeMethod, params, { signal, cancellable: false });
  }

  async function shake(signal: AbortSignal | undefined): Promise<ProtocolVersion> {
    const result = await initialize(signal).catch((error) => {
      session.version = successor(error, versions, session.version);
      return initialize(signal);
    });
    const { protocolVersion, capabilities, serverInfo } = result;
    const version = versions.find((ours) => ours === protocolVersion);
    if (version === undefined) throw mismatch(protocolVersion, versions);
    session.version = version;
    // the oldest revision has no capability by which completions could be announced
    const implied = version === oldestVersion ? { completions: {} } : undefined;
    session.server = readAnnouncement(
      { ...result, capabilities: { ...implied, ...(isJsonObject(capabilities) && capabilities) } },
      serverInfo,
    );
    peer.agreed?.({ version, batches: version === batchVersion ? batches : undefined }, shake);
    await peer.notify(initializedMethod, {});
    return version;
  }

  const session: LiveSession & HandshakeSession = {
    era: "handshake",
    ...first,
    shake,
    call: (method, params, options) =>
      // in this era a result says nothing of its kind
      ask(method, params, options, (result) => ({ type: "complete", result })),
    ping: (options) => ask(pingMethod, {}, options, () => {}),
    request: ({ method, params = {} }, exchange) =>
      method === pingMethod ? {} : self.answer(method, params, exchange.signal, session),
    notification,
  };
  return session;
}

function mismatch(answered: unknown, versions: readonly ProtocolVersion[]): LocalError {
  const how = answered === batchVersion ? "; handshake({ batches }) among its eras speaks that one too" : "";
  return new LocalError(
    "VERSION_MISMATCH",
    `the server answered ${initializeMethod} with protocolVersion ${excerpt(answered)}; this client speaks ${versions.join(", ")}${how}`,
    { details: { server: typeof answered === "string" ? [answered] : [], client: versions } },
  );
}
