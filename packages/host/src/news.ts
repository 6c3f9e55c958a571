import type { HostReport } from "./report.js";

/**
 * Tells which reports say something new: a server's tools are listed again and again, and a tool of theirs that is refused is
 * refused each time.
 */
export function createNews(): (report: HostReport) => boolean {
  /** Why tools are refused, by server and tool. */
  const known = new Map<string, Map<string, string>>();

  function isNew(server: string, tool: string, why: string): boolean {
    const tools = known.get(server) ?? new Map<string, string>();
    known.set(server, tools);
    if (tools.get(tool) === why) return false;
    tools.set(tool, why);
    return true;
  }

  return (report) => {
    switch (report.kind) {
      case "tool_refused":
        return isNew(report.server, report.tool, report.reason);
      case "tool_changed":
        return !report.refused || isNew(report.server, report.tool, report.fingerprint);
      case "tool_registered":
        known.get(report.server)?.delete(report.tool);
        return true;
      case "server_disconnected":
        known.delete(report.server);
        return true;
      default:
        return true;
    }
  };
}
