import { type CallToolResult, type ContentBlock, isJsonObject } from "@parlance/protocol-versions";
import { RegistryError } from "./error.js";
import { jsonFault, kindOf } from "./json.js";
import type { ToolResult } from "./tool.js";

/**
 * Makes a result of what a tool without output schema returned.
 * @throws RegistryError `INVALID_RESULT`
 */
export function plainResult(tool: string, returned: unknown): CallToolResult {
  if (returned === undefined || returned === null) return { content: [] };
  if (typeof returned === "string" || typeof returned === "bigint") return textResult(String(returned));
  if (isResult(returned)) return fullResult(tool, returned);
  const content: readonly unknown[] = Array.isArray(returned) ? returned : [returned];
  if (content.length > 0 && content.every(isBlock)) return fullResult(tool, { content });
  return textResult(jsonText(tool, returned));
}

/**
 * Makes a result of a value that fits the tool's output schema. `around` is the result it came in, if it came in one.
 * @throws RegistryError `INVALID_RESULT`
 */
export function structuredResult(tool: string, value: unknown, around?: ToolResult | undefined): CallToolResult {
  if (around !== undefined) return fullResult(tool, { ...around, structuredContent: value });
  return { ...textResult(jsonText(tool, value)), structuredContent: value };
}

/**
 * Fills in a result that the tool made itself: content is always there, and structured content also stands as text.
 * @see MCP 2026-07-28, server/tools, structured content
 * @throws RegistryError `INVALID_RESULT`
 */
export function fullResult(tool: string, result: ToolResult): CallToolResult {
  const { content = [], structuredContent } = result;
  const wrong = content.findIndex((block) => fitsItsType(block) === false);
  if (wrong !== -1) throw invalid(tool, `content[${wrong}], which is no ${content[wrong]?.type} block`);
  const fault = jsonFault(result, "result");
  if (fault !== undefined) throw invalid(tool, fault);
  if (structuredContent === undefined || content.length > 0) return { ...result, content };
  return { ...result, ...textResult(jsonText(tool, structuredContent)) };
}

/** A result that tells of a failure. */
export function errorResult(text: string): CallToolResult {
  return { ...textResult(text), isError: true };
}

/**
 * Whether an object is a result and not data: it has the members of a result and no others.
 */
export function isResult(value: unknown): value is ToolResult {
  if (!isJsonObject(value)) return false;
  for (const key in value) if (!resultMembers.has(key)) return false;
  const { content, isError } = value;
  if (content !== undefined) return Array.isArray(content) && content.every(isTyped);
  return "structuredContent" in value || typeof isError === "boolean";
}

const resultMembers: ReadonlySet<string> = new Set(["content", "structuredContent", "isError", "_meta"]);

/** The texts that a block of each type must have. */
const blockTexts: ReadonlyMap<string, readonly string[]> = new Map([
  ["text", ["text"]],
  ["image", ["data", "mimeType"]],
  ["audio", ["data", "mimeType"]],
  ["resource_link", ["uri", "name"]],
]);

function isBlock(value: unknown): value is ContentBlock {
  return isTyped(value) && fitsItsType(value) === true;
}

/** Nothing, when the type is none that is known. */
function fitsItsType(block: Typed): boolean | undefined {
  if (block.type === "resource") return isJsonObject(block["resource"]);
  return blockTexts.get(block.type)?.every((name) => typeof block[name] === "string");
}

type Typed = { readonly type: string; readonly [key: string]: unknown };

function isTyped(value: unknown): value is Typed {
  return isJsonObject(value) && typeof value["type"] === "string";
}

function textResult(text: string): CallToolResult {
  return { content: [{ type: "text", text }] };
}

function jsonText(tool: string, value: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    throw invalid(tool, jsonFault(value, "result") ?? "what cannot be written as JSON", error);
  }
  if (text === undefined) throw invalid(tool, `${kindOf(value)}, which is no JSON`);
  const lost = text === "{}" ? jsonFault(value, "result") : undefined;
  if (lost !== undefined) throw invalid(tool, lost);
  return text;
}

function invalid(tool: string, what: string, cause?: unknown): RegistryError {
  return new RegistryError("INVALID_RESULT", `Tool "${tool}" returned ${what}`, { tool, cause });
}
