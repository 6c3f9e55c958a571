import { type JsonObject, LocalError, type Peer, RpcError } from "@parlance/jsonrpc";
import { excerpt } from "@parlance/jsonrpc/codec";
import type { ClientEra, ClientSelf, Opened, OpenOptions } from "../era.js";
import { isJsonObject } from "../json-object.js";
import { firstOf, isNoAnswer, readSupported, readVersions } from "../offer.js";
import { type ProtocolVersion, statelessVersions } from "../version.js";
import { discoverMethod, headerMismatchCode, missingCapabilityCode, unsupportedVersionCode } from "./envelope.js";
import { createEnvelope, createSession, readAnnouncement } from "./session.js";

/**
 * How a client speaks the stateless era.
 * @stable
 */
export interface StatelessClientOptions {
  /** The versions to speak, newest first. Default: all of the era. */
  readonly versions?: readonly ProtocolVersion[] | undefined;
}

/**
 * The stateless era, seen from a client: finds out by `server/discover` whether the server speaks it, and puts
 * version, identity and capabilities into every request.
 * @see MCP 2026-07-28, basic/versioning, backward compatibility
 * @stable
 */
export function statelessClient(options: StatelessClientOptions = {}): ClientEra {
  const { versions = statelessVersions } = options;
  return {
    name: "stateless",
    opening: discoverMethod,
    versions,
    open: (peer, self, how) => open(peer, self, how, versions),
  };
}

async function open(
  peer: Peer,
  self: ClientSelf,
  how: OpenOptions,
  versions: readonly ProtocolVersion[],
): Promise<Opened> {
  const known = versions.find((version) => version === how.known?.version);
  if (known !== undefined) {
    const server = { capabilities: {}, ...how.known?.server, remembered: true };
    return attached(createSession(peer, self, { versions, version: known, server }), how);
  }
  let version = firstOf(versions, how.offered);
  let retried = false;
  for (;;) {
    let result: JsonObject;
    try {
      result = await probe(peer, self, how, version);
    } catch (error) {
      const verdict = judge(error, version, retried, peer, how);
      const next = retried ? undefined : versions.find((ours) => verdict.offered?.includes(ours));
      if (next === undefined) return verdict;
      version = next;
      retried = true;
      continue;
    }
    const supported = readVersions(result["supportedVersions"]);
    const common = versions.find((ours) => supported?.includes(ours));
    if (common === undefined) return { type: "not_spoken", offered: supported, cause: unusable(result) };
    const server = readAnnouncement(result);
    return attached(createSession(peer, self, { versions, version: common, server }), how);
  }
}

function attached(session: ReturnType<typeof createSession>, how: OpenOptions): Opened {
  how.attach(session);
  return { type: "session", session };
}

/** Never cancelled: a server that does not know the probe may not bear a notification about it either. */
function probe(peer: Peer, self: ClientSelf, how: OpenOptions, version: ProtocolVersion): Promise<JsonObject> {
  const params = { _meta: createEnvelope(self, version) };
  return peer.request(discoverMethod, params, { signal: how.silence, cancellable: false });
}

/**
 * What a failed probe says. Only a recognized error proves the era; whatever else a server answers means that it does
 * not speak it, and so does silence on a pipe.
 * @throws the error, when the server speaks the era and refused, or nothing was learned
 */
function judge(
  error: unknown,
  refused: ProtocolVersion,
  retried: boolean,
  peer: Peer,
  how: OpenOptions,
): Extract<Opened, { type: "not_spoken" }> {
  if (how.signal?.aborted) throw error;
  if (how.silence.aborted) {
    if (peer.carrier === "pipe" && error instanceof LocalError) return { type: "not_spoken", cause: error };
    throw error;
  }
  if (!(error instanceof RpcError)) {
    if (isNoAnswer(error, peer)) return { type: "not_spoken", cause: error };
    throw error;
  }
  if (error.code === unsupportedVersionCode) {
    const supported = readSupported(error.data);
    // one that lists only what it has just refused may have another answer, once
    const isAlone = supported?.length === 1 && !retried;
    const offered = isAlone ? supported : supported?.filter((version) => version !== refused);
    if (offered?.length === 0) throw error;
    return { type: "not_spoken", offered, cause: error };
  }
  if (isRecognized(error)) throw error;
  return { type: "not_spoken", cause: error };
}

function isRecognized(error: RpcError): boolean {
  if (error.code === headerMismatchCode) return true;
  return (
    error.code === missingCapabilityCode && isJsonObject(error.data) && isJsonObject(error.data["requiredCapabilities"])
  );
}

function unusable(result: JsonObject): LocalError {
  const { supportedVersions } = result;
  const what = supportedVersions === undefined ? "no supportedVersions" : excerpt(supportedVersions);
  return new LocalError("BAD_REPLY", `${discoverMethod} was answered with ${what}`);
}
