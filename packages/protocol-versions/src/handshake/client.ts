import { type RpcError, rpcCodes } from "@parlance/jsonrpc";
import type { ClientEra } from "../era.js";
import { open, readSupported, unsettled } from "../opening.js";
import { createSession } from "./session.js";
import { type HandshakeOptions, newestFirst } from "./versions.js";

/**
 * The handshake era, seen from a client: `initialize` first, then a session.
 * @throws LocalError `INVALID_ARGUMENT` when `versions` is empty or names a version that cannot be spoken
 * @see MCP 2025-11-25, basic/lifecycle
 * @stable
 */
export function handshakeClient(options: HandshakeOptions = {}): ClientEra {
  const versions = newestFirst(options);
  return {
    name: "handshake",
    versions,
    open: (peer, self, how) => {
      const session = createSession(peer, self, versions, unsettled(versions, how.offered), options.batches);
      return open({ peer, how, session, settle: () => session.shake(how.signal), offeredIn });
    },
  };
}

/** What servers that do not know `initialize`, or not in this version, answer. */
const strangerCodes: readonly number[] = [rpcCodes.invalidRequest, rpcCodes.methodNotFound, rpcCodes.invalidParams];

/** @throws the refusal, when the server speaks the era and refused */
function offeredIn(refusal: RpcError): readonly string[] | undefined {
  const offered = readSupported(refusal.data);
  if (offered === undefined && !strangerCodes.includes(refusal.code)) throw refusal;
  return offered;
}
