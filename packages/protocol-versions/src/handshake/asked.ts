import { type JsonObject, RpcError } from "@parlance/jsonrpc";
import type { InputRequired } from "../feature.js";
import { isJsonObject } from "../json-object.js";

const urlElicitationRequired = -32042;

/**
 * The pages that a server wants visited before it does what it was asked, as questions; `undefined` when the error is
 * another.
 * @see MCP 2025-11-25, client/elicitation, URL elicitation required
 */
export function pagesFirst(error: unknown): InputRequired | undefined {
  if (!(error instanceof RpcError) || error.code !== urlElicitationRequired) return undefined;
  const pages = isJsonObject(error.data) ? error.data["elicitations"] : undefined;
  if (!Array.isArray(pages) || pages.length === 0 || !pages.every(isJsonObject)) return undefined;
  const questions = pages.map((params, at) => [`${at}`, { method: "elicitation/create", params }] as const);
  return { type: "input_required", inputRequests: Object.fromEntries(questions) };
}

/**
 * An answer as a session's revision has it. A message of a model is one block before 2025-11-25: its texts, or else the first.
 * @see MCP 2025-06-18, schema, CreateMessageResult
 */
export function putAnswer(answer: JsonObject, version: string): JsonObject {
  const { content } = answer;
  if (!Array.isArray(content) || version === "2025-11-25") return answer;
  const texts = content.filter((block) => block?.type === "text").map(({ text }) => text);
  return { ...answer, content: texts.length > 0 ? { type: "text", text: texts.join("\n") } : content[0] };
}
