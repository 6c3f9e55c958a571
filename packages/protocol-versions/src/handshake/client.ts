import { type JsonObject, LocalError, type Peer, RpcError, rpcCodes } from "@parlance/jsonrpc";
import { excerpt } from "@parlance/jsonrpc/codec";
import type { ClientEra, ClientSelf, Opened, OpenOptions } from "../era.js";
import { firstOf, isNoAnswer, readSupported } from "../offer.js";
import { handshakeVersions, type ProtocolVersion } from "../version.js";
import { initializedMethod, initializeMethod } from "./initialize.js";
import { introductionTo } from "./introduction.js";
import { createEar, createSession, type Ear, readAnnouncement, type SessionStart } from "./session.js";
import { newestFirst } from "./versions.js";

/**
 * How a client speaks the handshake era.
 * @stable
 */
export interface HandshakeClientOptions {
  /** The versions to speak. Default: all but 2025-03-26, the only one with batches. */
  readonly versions?: readonly ProtocolVersion[] | undefined;
}

/**
 * The handshake era, seen from a client: `initialize` first, then a session.
 * @throws LocalError `INVALID_ARGUMENT` when `versions` is empty or names a version of another era
 * @see MCP 2025-11-25, basic/lifecycle
 * @stable
 */
export function handshakeClient(options: HandshakeClientOptions = {}): ClientEra {
  const versions = newestFirst(options.versions ?? handshakeVersions.default);
  return {
    name: "handshake",
    opening: initializeMethod,
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
  const ear = createEar(self);
  how.attach(ear);
  let version = firstOf(versions, how.offered);
  let result: JsonObject;
  try {
    result = await initialize(peer, self, how, version);
  } catch (error) {
    const offered = judge(error, peer, how);
    const next = versions.find((ours) => ours !== version && offered?.includes(ours));
    if (next === undefined) return { type: "not_spoken", offered, cause: error as Error };
    version = next;
    result = await initialize(peer, self, how, version);
  }
  const start = await begin(peer, ear, result, versions);
  const reopen = async (signal: AbortSignal): Promise<SessionStart> =>
    begin(peer, ear, await initialize(peer, self, { signal }, start.version), versions);
  return { type: "session", session: createSession({ peer, ear, start, reopen, self }) };
}

/** Settles what a handshake came to, and says so. */
async function begin(
  peer: Peer,
  ear: Ear,
  result: JsonObject,
  versions: readonly ProtocolVersion[],
): Promise<SessionStart> {
  const version = versions.find((ours) => ours === result["protocolVersion"]);
  if (version === undefined) throw mismatch(result["protocolVersion"], versions);
  const start = { version, server: readAnnouncement(result, version) };
  ear.start = start;
  peer.agreed?.({ version, batches: introductionTo(version).batches === true });
  await peer.notify(initializedMethod, {});
  return start;
}

function initialize(
  peer: Peer,
  self: ClientSelf,
  how: Pick<OpenOptions, "signal">,
  version: ProtocolVersion,
): Promise<JsonObject> {
  const { laterInfo } = introductionTo(version);
  const clientInfo = Object.fromEntries(Object.entries(self.info).filter(([name]) => !laterInfo.includes(name)));
  return peer.request(
    initializeMethod,
    {
      protocolVersion: version,
      capabilities: { ...self.capabilities, ...self.session?.capabilities },
      clientInfo,
    },
    { signal: how.signal, cancellable: false },
  );
}

/** What servers that do not know `initialize`, or not in this version, answer. */
const strangerCodes: readonly number[] = [rpcCodes.invalidRequest, rpcCodes.methodNotFound, rpcCodes.invalidParams];

/**
 * The versions that a failed handshake says the server speaks.
 * @throws the error, when the server speaks the era and refused, or nothing was learned
 */
function judge(error: unknown, peer: Peer, how: OpenOptions): readonly string[] | undefined {
  if (how.signal?.aborted) throw error;
  if (error instanceof RpcError) {
    const offered = readSupported(error.data);
    if (offered === undefined && !strangerCodes.includes(error.code)) throw error;
    return offered;
  }
  if (isNoAnswer(error, peer)) return undefined;
  throw error;
}

function mismatch(answered: unknown, versions: readonly ProtocolVersion[]): LocalError {
  const theirs = answered === undefined ? "no protocolVersion" : excerpt(answered);
  const isOff = handshakeVersions.all.some((known) => known === answered);
  const how = isOff ? "; handshake({ versions: handshakeVersions.all }) among its eras would turn that one on" : "";
  return new LocalError(
    "VERSION_MISMATCH",
    `the server answered ${initializeMethod} with ${theirs}; this client speaks ${versions.join(", ")}${how}`,
    { details: { server: typeof answered === "string" ? [answered] : [], client: versions } },
  );
}
