import { LocalError } from "@parlance/jsonrpc";
import { handshakeVersions, type ProtocolVersion } from "../version.js";

/**
 * The versions to speak, in the order in which they are preferred.
 * @throws LocalError `INVALID_ARGUMENT` when there are none, or one of them is of another era
 */
export function newestFirst(versions: readonly ProtocolVersion[]): readonly [ProtocolVersion, ...ProtocolVersion[]] {
  const { all } = handshakeVersions;
  const [newest, ...others] = all.filter((version) => versions.includes(version));
  if (newest !== undefined && versions.every((version) => all.includes(version))) {
    return [newest, ...others];
  }
  const message = `versions must name at least one of ${all.join(", ")} and no other, got ${versions.join(", ") || "none"}`;
  throw new LocalError("INVALID_ARGUMENT", message);
}
