import { type JsonObject, LocalError, type Peer, RpcError, unanswered } from "@parlance/jsonrpc";
import { excerpt } from "@parlance/jsonrpc/codec";
import { converse, type LiveSession } from "../conversation.js";
import type { ClientSelf, Session, Settled } from "../era.js";
import { isJsonObject } from "../json-object.js";
import { readAnnouncement, readSupported, successor } from "../opening.js";
import type { ProtocolVersion } from "../version.js";
import {
  clientCapabilitiesKey,
  clientInfoKey,
  discoverMethod,
  logLevelKey,
  protocolVersionKey,
  serverInfoKey,
} from "./envelope.js";
import { unsupportedVersionCode } from "./error.js";

/**
 * Puts version, identity and capabilities into every request; the caller's own `_meta` cannot replace them. A `ping` asks
 * anew what the server speaks, and takes what it says.
 * @param versions newest first; a server that changes its mind may be given another of them
 * @see MCP 2026-07-28, basic, per-request metadata
 */
export function createSession(
  peer: Peer,
  self: ClientSelf,
  versions: readonly ProtocolVersion[],
  first: Settled,
): Session {
  const { ask, notification } = converse(self, {
    request: peer.request,
    dress: (params, options, progressToken) => ({
      inputResponses: options?.inputResponses,
      requestState: options?.requestState,
      ...params,
      _meta: {
        ...(isJsonObject(params["_meta"]) && params["_meta"]),
        [protocolVersionKey]: session.version,
        [clientInfoKey]: self.info,
        [clientCapabilitiesKey]: options?.capabilities ?? self.capabilities,
        [logLevelKey]: options?.logLevel,
        progressToken,
      },
    }),
    again: (error, { _meta: meta }) => {
      if (!(error instanceof RpcError) || error.code !== unsupportedVersionCode) throw error;
      // a call beside this one may have heard it first
      session.version = successor(error, versions, isJsonObject(meta) && meta[protocolVersionKey]);
    },
  });

  /** @throws LocalError `BAD_REPLY`, with what is `supported` in its details, when nothing is in common */
  function discovered(result: JsonObject): void {
    const { supportedVersions, _meta: meta } = result;
    const details = { supported: supportedVersions };
    const supported = readSupported(details);
    const common = versions.find((ours) => supported?.includes(ours));
    if (common === undefined) {
      const what = `${discoverMethod} was answered with the versions ${excerpt(supportedVersions)}`;
      throw new LocalError("BAD_REPLY", what, { details });
    }
    session.version = common;
    session.server = readAnnouncement(result, isJsonObject(meta) ? meta[serverInfoKey] : undefined);
  }

  const session: LiveSession = {
    era: "stateless",
    ...first,
    call: (method, params, options) =>
      ask(method, params, options, (result) => {
        const { resultType: type = "complete" } = result;
        return { type, result };
      }),
    ping: (options) => ask(discoverMethod, {}, options, discovered),
    // a server of this era asks nothing, and a client never sends a response
    request: () => unanswered,
    notification,
  };
  return session;
}
