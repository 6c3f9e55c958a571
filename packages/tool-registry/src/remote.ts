import type { JsonObject } from "@parlance/jsonrpc";
import type { CallToolResult, ToolDefinition } from "@parlance/protocol-versions";
import type { AnyTool, ToolCall } from "./tool.js";

/** Where a remote tool keeps its definition. A registered symbol, so that several installed copies of this package agree. */
export const remoteDefinition: unique symbol = Symbol.for("parlance.remote-tool") as never;

/**
 * A tool that lives elsewhere and checks its own arguments and results, such as one of another server.
 * It is listed exactly as defined, unknown members included; its arguments and results pass untouched.
 * @experimental
 */
export function remoteTool(
  definition: ToolDefinition,
  run: (args: JsonObject, call: ToolCall) => CallToolResult | Promise<CallToolResult>,
): AnyTool {
  const { name, title, description = "", annotations, icons, _meta: meta } = definition;
  return { name, title, description, annotations, icons, meta, run, [remoteDefinition]: definition };
}
