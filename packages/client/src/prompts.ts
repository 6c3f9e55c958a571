import { LocalError } from "@parlance/jsonrpc";
import { type GetPromptResult, isJsonObject, type PromptDefinition } from "@parlance/protocol-versions";
import type { Client } from "./client.js";
import { type List, readAll, readEach, reporting } from "./list.js";
import type { ListOptions } from "./pages.js";
import type { RequestOptions } from "./waiting.js";

const promptList: List<PromptDefinition> = {
  method: "prompts/list",
  member: "prompts",
  is: (entry): entry is PromptDefinition => typeof entry["name"] === "string" && areArguments(entry["arguments"]),
  keyOf: (prompt) => prompt.name,
  needs: "name, or has arguments without one",
  leftOut: /* @__PURE__ */ reporting("prompts/list"),
};

function areArguments(value: unknown): boolean {
  if (value === undefined) return true;
  return Array.isArray(value) && value.every((one) => isJsonObject(one) && typeof one["name"] === "string");
}

/**
 * Lists the prompts, all pages of them.
 * @throws LocalError `UNSUPPORTED` when the server has none to offer; `BAD_REPLY` for a list that has no end
 * @see MCP 2026-07-28, server/prompts, listing prompts
 * @stable
 */
export function listPrompts(client: Client, options: ListOptions = {}): Promise<readonly PromptDefinition[]> {
  return readAll(client, promptList, options);
}

/**
 * Lists the prompts one by one; a page is asked for when the one before was used up.
 * @throws LocalError as `listPrompts` does
 * @stable
 */
export function eachPrompt(client: Client, options: ListOptions = {}): AsyncGenerator<PromptDefinition, void> {
  return readEach(client, promptList, options);
}

/**
 * Gets a prompt, filled in. Its messages are a stranger's words: show them before a model reads them.
 * @param args the values of its arguments, all of them text
 * @throws LocalError `UNSUPPORTED` when the server has no prompts; `BAD_REPLY` for messages that are none
 * @see MCP 2026-07-28, server/prompts, getting a prompt
 * @stable
 */
export async function getPrompt(
  client: Client,
  name: string,
  args: Readonly<Record<string, string>> = {},
  options: RequestOptions = {},
): Promise<GetPromptResult> {
  const result = await client.request("prompts/get", { name, arguments: args }, options);
  if (isPromptResult(result)) return result;
  throw new LocalError("BAD_REPLY", `prompts/get was answered with messages that are none for prompt ${name}`, {
    details: { method: "prompts/get", prompt: name },
  });
}

function isPromptResult(result: object): result is GetPromptResult {
  return "messages" in result && Array.isArray(result.messages) && result.messages.every(isMessage);
}

function isMessage(message: unknown): boolean {
  if (!isJsonObject(message)) return false;
  const { role, content } = message;
  return (role === "user" || role === "assistant") && isJsonObject(content) && typeof content["type"] === "string";
}
