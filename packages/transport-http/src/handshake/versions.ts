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

/** The one revision in which a body may be an array. */
const batching = "2025-03-26";

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
