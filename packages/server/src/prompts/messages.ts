import { LocalError } from "@parlance/jsonrpc";
import { excerpt } from "@parlance/jsonrpc/codec";
import { type ContentBlock, type GetPromptResult, isJsonObject, type PromptMessage } from "@parlance/protocol-versions";
import { isUri } from "../resources/uri.js";
import type { PromptLine, PromptReturn } from "./prompt.js";

/**
 * Makes a result of what a prompt gave.
 * @throws LocalError `INVALID_ARGUMENT` for a message that is none
 * @see MCP 2026-07-28, server/prompts, data types
 */
export function promptResult(name: string, returned: PromptReturn, description: string | undefined): GetPromptResult {
  const whole = isWhole(returned) ? returned : { messages: isList(returned) ? returned : [returned] };
  return { description, ...whole, messages: whole.messages.map((line) => message(name, line)) };
}

type Whole = Extract<PromptReturn, { readonly messages: unknown }>;
type Line = string | ContentBlock | PromptLine;

function isWhole(returned: PromptReturn): returned is Whole {
  return isJsonObject(returned) && "messages" in returned;
}

function isList(returned: PromptReturn): returned is readonly Line[] {
  return Array.isArray(returned);
}

function message(name: string, line: Line): PromptMessage {
  const { role, content } =
    typeof line === "string" || "type" in line ? { role: "user" as const, content: line } : line;
  if (role !== "user" && role !== "assistant") throw wrong(name, "a role", role, '"user" or "assistant"');
  return { role, content: block(name, typeof content === "string" ? { type: "text", text: content } : content) };
}

/** The texts that a block of each type must have. */
const texts: ReadonlyMap<string, readonly string[]> = new Map([
  ["text", ["text"]],
  ["image", ["data", "mimeType"]],
  ["audio", ["data", "mimeType"]],
  ["resource_link", ["uri", "name"]],
  ["resource", []],
]);

function block(name: string, content: ContentBlock): ContentBlock {
  const needed = isJsonObject(content) ? texts.get(content.type) : undefined;
  if (needed === undefined) throw wrong(name, "a content", content, "one content block");
  const lacking = needed.filter((member) => typeof Reflect.get(content, member) !== "string");
  if (lacking.length > 0) throw wrong(name, `a ${content.type} block without`, lacking, "one with them, as text");
  if (content.type !== "resource") return content;
  const { uri, text, blob } = content.resource;
  if (!isUri(uri)) throw wrong(name, "a resource with the uri", uri, "one with a URI");
  if ((text === undefined) === (blob === undefined))
    throw wrong(name, "a resource", uri, "one with either text or blob");
  const mimeType = text === undefined ? "application/octet-stream" : "text/plain";
  return { ...content, resource: { ...content.resource, mimeType: content.resource.mimeType ?? mimeType } };
}

function wrong(name: string, what: string, value: unknown, right: string): LocalError {
  const message = `prompt "${name}" gave ${what} ${excerpt(value)}, and should give ${right}`;
  return new LocalError("INVALID_ARGUMENT", message, { details: { prompt: name } });
}
