import type { JsonObject } from "@parlance/jsonrpc";
import { isJsonObject } from "./json-object.js";

/**
 * What is wrong with the parameters of `sampling/createMessage`; `undefined` when nothing is: whether each use of a tool
 * gets its result, and what is required is there.
 * @see MCP 2026-07-28, client/sampling, message constraints
 * @stable
 */
export function samplingFault({ messages, maxTokens, modelPreferences }: JsonObject): string | undefined {
  if (typeof maxTokens !== "number") return "maxTokens should be a number";
  const wrong = isJsonObject(modelPreferences)
    ? priorities.find((name) => !isShare(modelPreferences[name]))
    : undefined;
  if (wrong !== undefined) return `${wrong} should be a number from 0 to 1`;
  if (!Array.isArray(messages)) return "messages should be a list";
  let open: readonly unknown[] = [];
  for (const [at, message] of messages.entries()) {
    if (!isMessage(message)) return `messages[${at}] should have a role, user or assistant, and content`;
    const blocks = blocksOf(message);
    const results = blocks.filter((block) => block["type"] === "tool_result").map((block) => block["toolUseId"]);
    if (results.length > 0 && (results.length < blocks.length || message["role"] !== "user")) {
      return `messages[${at}] has a tool_result beside something else, or not from the user`;
    }
    const isAnswered = open.length === results.length && open.every((id) => results.includes(id));
    if (!isAnswered) return `messages[${at}] should have one tool_result for each tool_use before it, and no other`;
    const uses = blocks.filter((block) => block["type"] === "tool_use").map((block) => block["id"]);
    if (uses.length > 0 && message["role"] !== "assistant") return `messages[${at}] has a tool_use of the user's`;
    if (new Set(uses).size < uses.length) return `messages[${at}] has two uses of one id`;
    open = uses;
  }
  return open.length === 0 ? undefined : "the last message uses a tool, and nothing says what that gave";
}

const priorities: readonly string[] = ["costPriority", "speedPriority", "intelligencePriority"];

function isShare(value: unknown): boolean {
  return value === undefined || (typeof value === "number" && value >= 0 && value <= 1);
}

/** The blocks of a message, one or several. @stable */
export function blocksOf({ content }: JsonObject): readonly JsonObject[] {
  return (Array.isArray(content) ? content : [content]).filter(isJsonObject);
}

/** Whether something is a message of a model or to one. */
export function isMessage(value: unknown): value is JsonObject {
  if (!isJsonObject(value)) return false;
  const { role, content } = value;
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  return (role === "user" || role === "assistant") && blocks.every(isBlock);
}

function isBlock(value: unknown): boolean {
  return isJsonObject(value) && typeof value["type"] === "string";
}
