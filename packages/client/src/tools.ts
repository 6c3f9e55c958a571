import { type JsonObject, LocalError } from "@parlance/jsonrpc";
import { type CallToolResult, isJsonObject, type ToolDefinition } from "@parlance/protocol-versions";
import type { ClientReport } from "./report.js";
import type { Schema } from "./schema.js";

/**
 * Takes the tools out of what a server listed, with all members that they came with. What is no tool is left out, and
 * so is a second one of the same name: one bad entry must not cost the others.
 */
export function readTools(
  entries: readonly unknown[],
  report: (report: ClientReport) => void,
): readonly ToolDefinition[] {
  const tools = new Map<string, ToolDefinition>();
  for (const entry of entries) {
    if (!isTool(entry)) report({ kind: "tool_left_out", reason: "it has no name or no inputSchema", tool: entry });
    else if (tools.has(entry.name)) report({ kind: "tool_left_out", reason: "its name came before", tool: entry });
    else tools.set(entry.name, entry);
  }
  return [...tools.values()];
}

function isTool(value: unknown): value is ToolDefinition {
  return isJsonObject(value) && typeof value["name"] === "string" && isJsonObject(value["inputSchema"]);
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
