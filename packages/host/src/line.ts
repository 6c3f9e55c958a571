import type { HostReport } from "./report.js";

/**
 * A report as a line for a log.
 * @stable
 */
export interface ReportLine {
  readonly level: "debug" | "info" | "warning" | "error";
  readonly line: string;
  /** Somebody should see it though nobody keeps a log: these are the lines that a host prints on stderr. */
  readonly alarm: boolean;
}

/** What moves a terminal's cursor or turns the direction of text. */
const steering = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Says a report in a line, for a log or a terminal: it has no control characters, whatever a server says.
 * @stable
 */
export function reportLine(report: HostReport): ReportLine {
  const said = wordReport(report);
  return { ...said, line: said.line.replace(/\s/g, " ").replace(steering, "") };
}

function wordReport(report: HostReport): ReportLine {
  const server = `MCP server "${report.server}"`;
  switch (report.kind) {
    case "server_connected":
      return info(`connected to ${server} with ${count(report.tools)}`);
    case "server_failed":
      return alarm(`${server} could not be connected: ${say(report.error)}; its tools are absent from this run`);
    case "server_given_up":
      return alarm(`${server} ended and is not started again: ${say(report.error)}; its tools are unavailable`);
    case "server_lost":
      return { level: "warning", line: `${server} ended: ${say(report.reason)}`, alarm: false };
    case "server_restarting":
      return info(`${server} is started again, try ${report.tries}, after ${report.delayMs} ms`);
    case "server_disconnected":
      return info(`disconnected from ${server}`);
    case "server_idle":
      return info(`${server} is idle and was ended until it is called`);
    case "tool_registered":
      return info(`registered the tool "${report.tool}" of ${server}`);
    case "tool_removed":
      return info(`removed the tool "${report.tool}" of ${server}`);
    case "name_refused":
      return alarm(
        `the tool "${report.tool}" of ${server} was not registered: ${report.holder === undefined ? "a tool of this program" : `MCP server "${report.holder}"`} has that name and keeps it; give the server a prefix, or rename the tool`,
      );
    case "name_similar":
      return alarm(`the tool "${report.tool}" of ${server} differs from "${report.other}" in case only`);
    case "tool_refused":
      return alarm(`the tool "${report.tool}" of ${server} was not registered: ${report.reason}`);
    case "tool_changed":
      return alarm(
        `the tool "${report.tool}" of ${server} is not what it was when it was first seen${report.refused ? ", and was refused" : ""}`,
      );
    case "schema_unusable":
      return warn(`an output of ${server} is not checked: ${say(report.error)}`);
    case "list_failed":
      return warn(`the tools of ${server} changed and could not be listed: ${say(report.error)}`);
    case "changes_unheard":
      return warn(`${server} does not tell when its tools change: ${say(report.error)}`);
    case "stderr":
      return { level: "debug", line: `${server}: ${report.line}`, alarm: false };
    case "signaled":
      return warn(`${server} did not end by itself and was sent ${report.signal}`);
    case "connection": {
      const { kind } = report.report;
      const line = `${server}: ${kind.replaceAll("_", " ")}`;
      // mostly the answer to a call that was given up
      return kind === "stray_response" ? { level: "debug", line, alarm: false } : warn(line);
    }
    case "callback_failed":
      return warn(`a callback for ${server} failed: ${say(report.error)}`);
    default:
      return report satisfies never;
  }
}

function info(line: string): ReportLine {
  return { level: "info", line, alarm: false };
}

function warn(line: string): ReportLine {
  return { level: "warning", line, alarm: false };
}

function alarm(line: string): ReportLine {
  return { level: "error", line, alarm: true };
}

function count(tools: number): string {
  return `${tools} ${tools === 1 ? "tool" : "tools"}`;
}

/** An error may hold what a server printed, and that may be anything. */
const longestChars = 1_000;

/** What an error says, in one line. */
export function say(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > longestChars ? `${line.slice(0, longestChars)}…` : line;
}
