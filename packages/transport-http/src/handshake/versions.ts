import type { Incoming } from "@parlance/jsonrpc/codec";
import type { HttpArrival } from "../http.js";

/** The header that names the session. */
export const sessionHeader = "mcp-session-id";

/** The header that names the revision, from the second message on. */
export const versionHeader = "mcp-protocol-version";

/** The revisions that open with it. */
export const versions: readonly string[] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/** Whether a request is of this era: it opens a session or names one, or does not say that it is of another. */
export function isClaimed({ incoming, request }: HttpArrival): boolean {
  if (isInitialize(incoming) || request.headers.get(sessionHeader) !== null) return true;
  const version = request.headers.get(versionHeader);
  return version === null || versions.includes(version.trim());
}

/** Whether it opens a session. */
export function isInitialize(
  incoming: HttpArrival["incoming"],
): incoming is Extract<Incoming, { readonly kind: "request" }> {
  return incoming?.kind === "request" && incoming.message.method === "initialize";
}
