import { type JsonObject, LocalError, type Peer, RpcError } from "@parlance/jsonrpc";
import type { Opened, OpenOptions, ServerAnnouncement, Session, Settled } from "./era.js";
import { isJsonObject } from "./json-object.js";
import { isImplementation } from "./model/implementation.js";
import type { ProtocolVersion, Versions } from "./version.js";

/** The versions that a refusal, or an answer, says the server speaks; `undefined` when it lists none, which proves nothing. */
export function readSupported(data: unknown): readonly string[] | undefined {
  const list = isJsonObject(data) ? data["supported"] : undefined;
  const versions = Array.isArray(list) ? list.filter((version) => typeof version === "string") : [];
  return versions.length > 0 ? versions : undefined;
}

/** What a session begins with: the newest of our versions that was offered, or else our newest. */
export function unsettled(versions: Versions, offered: readonly string[] | undefined): Settled {
  return {
    version: versions.find((version) => offered?.includes(version)) ?? versions[0],
    server: { capabilities: {} },
  };
}

/**
 * The version of ours to ask in after a refusal. One that lists the refused version besides others is no help; one that
 * lists nothing else may have another answer.
 * @throws the refusal, when it offers none
 */
export function successor(refusal: unknown, versions: readonly ProtocolVersion[], refused: unknown): ProtocolVersion {
  const supported: readonly unknown[] | undefined =
    refusal instanceof RpcError ? readSupported(refusal.data) : undefined;
  const isOdd = supported?.includes(refused) && supported.length > 1;
  const next = isOdd ? undefined : versions.find((ours) => supported?.includes(ours));
  if (next === undefined) throw refusal;
  return next;
}

/** What it takes to open a session. */
export interface Opening {
  readonly peer: Peer;
  readonly how: OpenOptions;
  readonly session: Session;
  /** Settles what is spoken. */
  settle(): Promise<unknown>;
  /** The versions that a refusal offers. @throws the refusal, from a server that speaks the era */
  offeredIn(refusal: RpcError): readonly string[] | undefined;
}

/**
 * Opens a session. A failure says that the server does not speak the era, when it answered what is no answer, ended, or on
 * a pipe kept silent. Whatever else went wrong on our side says nothing about the other.
 * @throws the error, when nothing was learned
 */
export async function open({ peer, how, session, settle, offeredIn }: Opening): Promise<Opened> {
  how.attach(session);
  try {
    await settle();
    return { type: "session", session };
  } catch (error) {
    if (error instanceof RpcError) return { type: "not_spoken", offered: offeredIn(error), cause: error };
    const silent: readonly unknown[] = peer.carrier === "pipe" ? ["BAD_REPLY", "CLOSED", "TIMEOUT"] : ["BAD_REPLY"];
    if (!(error instanceof LocalError && silent.includes(error.code))) throw error;
    return { type: "not_spoken", offered: readSupported(error.details), cause: error };
  }
}

/** What a server says of itself. */
export function readAnnouncement({ capabilities, instructions }: JsonObject, info: unknown): ServerAnnouncement {
  return {
    info: isImplementation(info) ? info : undefined,
    capabilities: isJsonObject(capabilities) ? capabilities : {},
    instructions: typeof instructions === "string" ? instructions : undefined,
  };
}
