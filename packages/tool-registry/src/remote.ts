import type { JsonObject } from "@parlance/jsonrpc";
import type { CallToolResult, ToolDefinition } from "@parlance/protocol-versions";
import { ownEntry } from "./entry.js";
import { after } from "./later.js";
import type { AnyTool, ToolCall } from "./tool.js";

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
  return {
    name,
    title,
    description,
    annotations,
    icons,
    meta,
    run,
    [ownEntry]: (tool) => ({
      tool,
      definition,
      refuse: tool.needs,
      answer: (args, call) => after(tool.run(args, call), (result) => ({ content: [], ...Object(result) })),
    }),
  };
}
