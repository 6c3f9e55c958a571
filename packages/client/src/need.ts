import { LocalError } from "@parlance/jsonrpc";
import type { ServerAnnouncement } from "@parlance/protocol-versions";

/** The capability behind the first part of a method's name. */
const capabilities: ReadonlyMap<string, string> = new Map([
  ["tools", "tools"],
  ["prompts", "prompts"],
  ["resources", "resources"],
  ["completion", "completions"],
  ["logging", "logging"],
]);

/**
 * Sends nothing that the server did not announce.
 * @throws LocalError `UNSUPPORTED`
 * @see MCP 2025-11-25, basic/lifecycle, operation
 */
export function checkAnnounced(method: string, server: ServerAnnouncement): void {
  const capability = capabilities.get(method.slice(0, Math.max(0, method.indexOf("/"))));
  if (capability === undefined || server.remembered) return;
  if (server.capabilities[capability]) return;
  throw new LocalError("UNSUPPORTED", `the server does not announce ${capability}, which ${method} needs`, {
    details: { method, capability },
  });
}
