import { LocalError } from "@parlance/jsonrpc";
import type { ServerAnnouncement } from "@parlance/protocol-versions";

/** The first part of the methods that need a capability. */
const announced = /^(?:tools|prompts|resources|completion|logging)(?=\/)/;

/**
 * Sends nothing that the server did not announce.
 * @throws LocalError `UNSUPPORTED`
 * @see MCP 2025-11-25, basic/lifecycle, operation
 */
export function checkAnnounced(method: string, server: ServerAnnouncement): void {
  const [family] = announced.exec(method) ?? [];
  if (family === undefined || server.remembered) return;
  const capability = family === "completion" ? "completions" : family;
  if (server.capabilities[capability]) return;
  throw new LocalError("UNSUPPORTED", `the server does not announce ${capability}, which ${method} needs`, {
    details: { method, capability },
  });
}
