import { type CallToolResult, isJsonObject } from "@parlance/protocol-versions";
import type { ToolResult } from "./tool.js";

/** Makes a result of what is no result yet: blocks, or a value that becomes text. */
export function toResult(returned: unknown): CallToolResult {
  if (typeof returned === "string") return { content: textBlocks(returned) };
  if (returned === undefined || returned === null) return { content: [] };
  const content = Array.isArray(returned) ? returned : [returned];
  return { content: content.length > 0 && content.every(isBlock) ? content : textBlocks(jsonOf(returned)) };
}

/**
 * Fills in a result that the tool made itself: content is always there, and structured content also stands as text.
 * @see MCP 2026-07-28, server/tools, structured content
 */
export function fullResult(result: ToolResult): CallToolResult {
  const { content = [], structuredContent } = result;
  if (structuredContent === undefined || content.length > 0) return { ...result, content };
  return { ...result, ...structuredResult(structuredContent) };
}

/** Makes a result of structured content, which also stands as text. */
export function structuredResult(structuredContent: unknown): CallToolResult {
  return { content: textBlocks(jsonOf(structuredContent)), structuredContent };
}

/** A result that tells of a failure. */
export function errorResult(text: string): CallToolResult {
  return { content: textBlocks(text), isError: true };
}

/** Whether a value is a result and not data: it has members of a result and no others. */
export function isResult(value: unknown): value is ToolResult {
  if (!isJsonObject(value)) return false;
  for (const key in value) if (!resultMembers.includes(key)) return false;
  const { content, isError, _meta = {} } = value;
  if ((isError !== undefined && typeof isError !== "boolean") || !isJsonObject(_meta)) return false;
  if (content !== undefined) return Array.isArray(content) && content.every(isBlock);
  return "structuredContent" in value || isError !== undefined;
}

const resultMembers: readonly string[] = ["content", "structuredContent", "isError", "_meta"];

/** What a block of each type must have. */
const required: ReadonlyMap<unknown, readonly string[]> = /* @__PURE__ */ new Map([
  ["text", ["text"]],
  ["image", ["data", "mimeType"]],
  ["audio", ["data", "mimeType"]],
  ["resource_link", ["uri", "name"]],
  ["resource", ["resource"]],
]);

function isBlock(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { type } = value;
  const members = required.get(type)?.map((name) => value[name]);
  return members?.every((member) => (type === "resource" ? isJsonObject(member) : typeof member === "string")) === true;
}

function textBlocks(text: string): CallToolResult["content"] {
  return [{ type: "text", text }];
}

/** @throws TypeError for what is no JSON */
function jsonOf(value: unknown): string {
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined) throw new TypeError(`a ${typeof value} is no JSON`);
  return text;
}
