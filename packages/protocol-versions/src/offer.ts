import { LocalError, type Peer } from "@parlance/jsonrpc";
import { isJsonObject } from "./json-object.js";
import type { ProtocolVersion } from "./version.js";

/** The versions that a refusal names in `data.supported`; `undefined` when it names none, which proves nothing. */
export function readSupported(data: unknown): readonly string[] | undefined {
  return isJsonObject(data) ? readVersions(data["supported"]) : undefined;
}

/** The strings of a list of versions; `undefined` when there is none. */
export function readVersions(list: unknown): readonly string[] | undefined {
  const versions = Array.isArray(list) ? list.filter((version) => typeof version === "string") : [];
  return versions.length > 0 ? versions : undefined;
}

/** The newest of our versions that was offered, or else our newest. */
export function firstOf(versions: readonly ProtocolVersion[], offered: readonly string[] | undefined): ProtocolVersion {
  const first = versions.find((version) => offered?.includes(version)) ?? versions[0];
  if (first === undefined) throw new LocalError("INVALID_ARGUMENT", "an era needs at least one version");
  return first;
}

/**
 * Whether a failure says that the other side did not understand: it answered with what is no answer, or ended.
 * Whatever else went wrong on our side says nothing about the other.
 */
export function isNoAnswer(error: unknown, peer: Peer): error is LocalError {
  return (
    error instanceof LocalError && (error.code === "BAD_REPLY" || (error.code === "CLOSED" && peer.carrier === "pipe"))
  );
}
