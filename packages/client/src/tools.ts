import { isJsonObject, type ToolDefinition } from "@parlance/protocol-versions";
import type { Client } from "./client.js";
import { inner } from "./inner.js";
import { type List, readAll, readEach } from "./list.js";
import type { ListOptions } from "./pages.js";

const toolList: List<ToolDefinition> = {
  method: "tools/list",
  member: "tools",
  is: (entry): entry is ToolDefinition => typeof entry["name"] === "string" && isJsonObject(entry["inputSchema"]),
  keyOf: (tool) => tool.name,
  needs: "name or no inputSchema",
  leftOut: (reason, tool) => ({ kind: "tool_left_out", reason, tool }),
};

/**
 * Lists the tools, all pages of them. Calls know their output schemas from then on.
 * @throws LocalError `UNSUPPORTED` when the server has none to offer; `BAD_REPLY` for a list that has no end
 * @see MCP 2026-07-28, server/tools, listing tools
 * @stable
 */
export async function listTools(client: Client, options: ListOptions = {}): Promise<readonly ToolDefinition[]> {
  const tools = await readAll(client, toolList, options);
  learn(client, tools);
  return tools;
}

/**
 * Lists the tools one by one; a page is asked for when the one before was used up. Once they are all read, calls know
 * their output schemas.
 * @throws LocalError as `listTools` does
 * @stable
 */
export async function* eachTool(client: Client, options: ListOptions = {}): AsyncGenerator<ToolDefinition, void> {
  const tools: ToolDefinition[] = [];
  for await (const tool of readEach(client, toolList, options)) {
    tools.push(tool);
    yield tool;
  }
  learn(client, tools);
}

function learn(client: Client, tools: readonly ToolDefinition[]): void {
  for (const hear of client[inner].learning) hear(tools);
}

/**
 * The name of a tool for people: its title, wherever the server's revision has it, or else its name.
 * @see MCP 2025-06-18, schema, BaseMetadata
 * @stable
 */
export function toolTitle(tool: ToolDefinition): string {
  return tool.title ?? tool.annotations?.title ?? tool.name;
}

/**
 * What a tool says it does. Believe it only if you trust the server.
 * @stable
 */
export interface ToolHints {
  readonly readOnly: boolean;
  readonly destructive: boolean;
  readonly idempotent: boolean;
  readonly openWorld: boolean;
}

/**
 * The hints of a tool, with the worst assumed where it says nothing. One that only reads destroys nothing and may be
 * called again.
 * @see MCP 2026-07-28, schema, ToolAnnotations
 * @stable
 */
export function toolHints({ annotations }: ToolDefinition): ToolHints {
  const readOnly = annotations?.readOnlyHint === true;
  return {
    readOnly,
    destructive: !readOnly && annotations?.destructiveHint !== false,
    idempotent: readOnly || annotations?.idempotentHint === true,
    openWorld: annotations?.openWorldHint !== false,
  };
}
