import { LocalError } from "@parlance/jsonrpc";
import type { ServerAnnouncement } from "@parlance/protocol-versions";

/** The server capability that a method needs. */
const needs: ReadonlyMap<string, readonly string[]> = new Map([
  ["tools/list", ["tools"]],
  ["tools/call", ["tools"]],
  ["prompts/list", ["prompts"]],
  ["prompts/get", ["prompts"]],
  ["resources/list", ["resources"]],
  ["resources/templates/list", ["resources"]],
  ["resources/read", ["resources"]],
  ["resources/subscribe", ["resources", "subscribe"]],
  ["resources/unsubscribe", ["resources", "subscribe"]],
  ["completion/complete", ["completions"]],
  ["logging/setLevel", ["logging"]],
]);

/**
 * Sends nothing that the server did not announce.
 * @throws LocalError `UNSUPPORTED`
 * @see MCP 2025-11-25, basic/lifecycle, operation
 */
export function checkAnnounced(method: string, server: ServerAnnouncement): void {
  const path = server.remembered ? undefined : needs.get(method);
  if (path === undefined) return;
  let value: unknown = server.capabilities;
  for (const name of path) {
    value = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
  }
  if (value !== undefined && value !== null && value !== false) return;
  const capability = path.join(".");
  throw new LocalError("UNSUPPORTED", `the server does not announce ${capability}, which ${method} needs`, {
    details: { method, capability },
  });
}
