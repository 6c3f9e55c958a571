import { expect, test } from "vitest";
import { reportLine } from "./line.js";

const server = "git";

test("O-77: lines for a log name the server and the tool", () => {
  const connected = { kind: "server_connected", server, era: "stateless", version: "v", ms: 3 } as const;
  expect(reportLine({ ...connected, tools: 1 }).line).toBe('connected to MCP server "git" with 1 tool');
  expect(reportLine({ ...connected, tools: 2 }).line).toBe('connected to MCP server "git" with 2 tools');
  expect(reportLine({ kind: "tool_registered", server, tool: "log" }).line).toBe(
    'registered the tool "log" of MCP server "git"',
  );
  expect(reportLine({ kind: "server_disconnected", server }).line).toBe('disconnected from MCP server "git"');
});

test("what somebody must see is an alarm, in one line", () => {
  const error = new Error("exited\nwith  code 1");
  expect(reportLine({ kind: "server_failed", server, error })).toEqual({
    level: "error",
    line: 'MCP server "git" could not be connected: exited with code 1; its tools are absent from this run',
    alarm: true,
  });
  expect(reportLine({ kind: "tool_changed", server, tool: "log", refused: true, fingerprint: "f" }).alarm).toBe(true);
  expect(reportLine({ kind: "server_lost", server, reason: error }).alarm).toBe(false);
  expect(reportLine({ kind: "stderr", server, line: "listening" })).toEqual({
    level: "debug",
    line: 'MCP server "git": listening',
    alarm: false,
  });
});

test("CAN-09: an answer that comes late is no warning", () => {
  const response = { jsonrpc: "2.0", id: 1, result: {} } as const;
  expect(reportLine({ kind: "connection", server, report: { kind: "stray_response", response } })).toEqual({
    level: "debug",
    line: 'MCP server "git": stray response',
    alarm: false,
  });
  const malformed = { kind: "malformed", error: { code: -32700, message: "no" }, text: "" } as const;
  expect(reportLine({ kind: "connection", server, report: malformed }).level).toBe("warning");
});

test("a line is no longer than somebody reads, whatever a server printed", () => {
  const { line } = reportLine({ kind: "server_failed", server: "git", error: new Error("z".repeat(1e6)) });
  expect(line.length).toBeLessThan(1_200);
});

test("SEC-20: what a server says does not steer a terminal", () => {
  const error = new Error("\u001b[2J\u001b]0;owned\u0007not\tfound \u202egnp.exe\u009b1m");
  expect(reportLine({ kind: "server_failed", server: "g\u001bit", error }).line).toBe(
    'MCP server "git" could not be connected: [2J]0;ownednot found gnp.exe1m; its tools are absent from this run',
  );
  expect(reportLine({ kind: "stderr", server, line: "a\tb\r\u001b[31mred" }).line).toBe(
    'MCP server "git": a b [31mred',
  );
});
