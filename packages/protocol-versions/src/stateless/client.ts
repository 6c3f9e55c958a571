import type { RpcError } from "@parlance/jsonrpc";
import type { ClientEra } from "../era.js";
import { open, readSupported, unsettled } from "../opening.js";
import { type ProtocolVersion, statelessVersions, type Versions } from "../version.js";
import { isEraError, unsupportedVersionCode } from "./error.js";
import { createSession } from "./session.js";

/**
 * How a client speaks the stateless era.
 * @stable
 */
export interface StatelessClientOptions {
  /** The versions to speak, newest first. Default: all of the era. */
  readonly versions?: Versions | undefined;
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
    versions,
    open: (peer, self, how) => {
      const { known, offered, silence } = how;
      const session = createSession(peer, self, versions, known ?? unsettled(versions, offered));
      return open({
        peer,
        how,
        session,
        // never cancelled: a server that does not know the probe may not bear a notification about it either
        settle: async () => known ?? session.ping({ signal: silence, cancellable: false }),
        offeredIn: (refusal) => offeredIn(refusal, session.version),
      });
    },
  };
}

/**
 * What else a server speaks that refuses a version. Only a recognized error proves the era: whatever else it answers means
 * that it does not speak it.
 * @throws the refusal, when it proves the era or offers nothing else
 */
function offeredIn(refusal: RpcError, refused: ProtocolVersion): readonly string[] | undefined {
  const { code, data } = refusal;
  const supported = code === unsupportedVersionCode ? readSupported(data) : undefined;
  const others = supported?.filter((version) => version !== refused);
  if (isEraError(refusal) || others?.length === 0) throw refusal;
  return others;
}
