import { RpcError, rpcCodes } from "@parlance/jsonrpc";
import { excerpt } from "@parlance/jsonrpc/codec";

/** The header that names the session. */
export const sessionHeader = "mcp-session-id";

/** The header that names the revision, from the second message on. */
export const versionHeader = "mcp-protocol-version";

/** The request that opens a session. */
export const initialize = "initialize";

/** The revisions that open with it. */
const versions: readonly string[] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/** Whether a request says it is of this era: it says so, or says nothing. */
export function isOurs(header: string | null): boolean {
  return header === null || versions.includes(header) || versions.includes(header.trim());
}

/** The one revision in which a body may be an array, and which knew no header. */
const batching = "2025-03-26";

/**
 * The revision of a request without a session: the one it names; or else the one that knew no header, if it is on; or else
 * the oldest that is on and has this transport.
 * @throws RpcError −32600 for one that is not on
 * @see MCP 2025-06-18, basic/transports, protocol version header
 */
export function revisionOf<Version extends string>(header: string | null, on: readonly Version[]): Version {
  const asked = header ?? (on.some((version) => version === batching) ? batching : on.filter(isStreamable).at(-1));
  const version = on.find((one) => one === (asked ?? on[0]));
  if (version !== undefined) return version;
  const message = `protocol version ${excerpt(asked)} is not supported; supported are ${on.join(", ")}`;
  throw new RpcError(rpcCodes.invalidRequest, message, { early: true });
}

function isStreamable(version: string): boolean {
  return version !== "2024-11-05";
}

/** Whether a request without a session may be an array: it says it is of that revision, or leaves it to be assumed. */
export function mayBatch(header: string | null, served: readonly string[] | undefined): boolean {
  return header === null ? (served ?? versions).includes(batching) : header.trim() === batching;
}

/**
 * Whether a stream may be let go of before its answer, and so begins with an event that can be resumed from. Clients of
 * earlier revisions fail on an event without data.
 * @see MCP 2025-11-25, basic/transports, sending messages to the server, 6
 */
export function mayPoll(version: string): boolean {
  return version === "2025-11-25";
}
