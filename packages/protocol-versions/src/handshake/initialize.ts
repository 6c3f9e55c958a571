import type { ProtocolVersion } from "../version.js";

/**
 * The methods that only the handshake era has.
 * @see MCP 2025-11-25, basic/lifecycle
 * @stable
 */
export const handshakeMethods: {
  readonly initialize: "initialize";
  readonly initialized: "notifications/initialized";
  readonly ping: "ping";
  readonly setLevel: "logging/setLevel";
  readonly subscribe: "resources/subscribe";
  readonly unsubscribe: "resources/unsubscribe";
} = {
  initialize: "initialize",
  initialized: "notifications/initialized",
  ping: "ping",
  setLevel: "logging/setLevel",
  subscribe: "resources/subscribe",
  unsubscribe: "resources/unsubscribe",
};

/**
 * The error codes that only the handshake era has.
 * @see MCP 2025-11-25, server/resources, error handling; client/elicitation, URL elicitation required
 * @stable
 */
export const handshakeCodes: {
  readonly resourceNotFound: -32002;
  readonly urlElicitationRequired: -32042;
} = { resourceNotFound: -32002, urlElicitationRequired: -32042 };

/**
 * The revision that a server answers with: the one asked for if it is on, else the newest that is on.
 * @see MCP 2025-11-25, basic/lifecycle, version negotiation
 * @stable
 */
export function chooseVersion(asked: unknown, versions: readonly ProtocolVersion[]): ProtocolVersion {
  const [newest] = versions;
  if (newest === undefined) {
    throw new Error("the handshake needs at least one protocol version");
  }
  return versions.find((version) => version === asked) ?? newest;
}
