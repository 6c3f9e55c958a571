import type { Client } from "../client.js";

/**
 * Tells a server that the roots changed, where servers are told: in 2026-07-28 they ask each time they need to know.
 * @see MCP 2025-11-25, client/roots, root list changes
 * @stable
 */
export async function rootsChanged(client: Client): Promise<void> {
  if (client.server.era === "handshake") await client.notify("notifications/roots/list_changed");
}
