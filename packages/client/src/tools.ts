import { type JsonObject, LocalError } from "@parlance/jsonrpc";
import { type CallToolResult, isJsonObject, type ToolDefinition } from "@parlance/protocol-versions";
import type { Client, ListOptions } from "./client.js";
import { inner } from "./inner.js";
import { type List, readEach } from "./list.js";
import type { Schema } from "./schema.js";

export const toolList: List<ToolDefinition> = {
  method: "tools/list",
  member: "tools",
  is: (entry): entry is ToolDefinition => typeof entry["name"] === "string" && isJsonObject(entry["inputSchema"]),
  keyOf: (tool) => tool.name,
  needs: "name or no inputSchema",
  leftOut: (reason, tool) => ({ kind: "tool_left_out", reason, tool }),
};

/**
 * Lists the tools one by one; a page is asked for when the one before was used up. Once they are all read, calls know
 * their output schemas.
 * @throws LocalError `UNSUPPORTED` when the server has none to offer; `BAD_REPLY` for a list that has no end
 * @see MCP 2026-07-28, server/tools, listing tools
 * @stable
 */
export async function* eachTool(client: Client, options: ListOptions = {}): AsyncGenerator<ToolDefinition, void> {
  const tools: ToolDefinition[] = [];
  for await (const tool of readEach(client, toolList, options)) {
    tools.push(tool);
    yield tool;
  }
  const { upkeep, schemas } = client[inner];
  upkeep.learn?.(tools);
  schemas?.learn(tools);
}

/** @throws LocalError `BAD_REPLY` when the content is no list; a server may leave it out beside structured content */
export function readToolResult(result: JsonObject): CallToolResult {
  if (isToolResult(result)) return result;
  if (result["content"] === undefined) return { ...result, content: [] };
  throw new LocalError("BAD_REPLY", "a tool answered with content that is no list");
}

function isToolResult(result: JsonObject): result is JsonObject & CallToolResult {
  return Array.isArray(result["content"]);
}

/**
 * Checks structured content, and only that: a tool that failed has none to check.
 * @param transform gives the value as the schema made it, and not as it came
 * @throws LocalError `BAD_REPLY`, with `issues` in its details
 * @see MCP 2026-07-28, server/tools, output schema
 */
export async function checkOutput(
  name: string,
  result: CallToolResult,
  schema: Schema<unknown>,
  transform: boolean,
): Promise<CallToolResult> {
  if (result.isError === true) return result;
  const validated = await schema["~standard"].validate(result.structuredContent);
  if (validated.issues === undefined) return transform ? { ...result, structuredContent: validated.value } : result;
  const [first] = validated.issues;
  const what =
    "structuredContent" in result ? `structured content that does not fit: ${first?.message}` : "no structured content";
  throw new LocalError("BAD_REPLY", `tool ${name} answered with ${what}`, {
    details: { tool: name, issues: validated.issues },
  });
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
