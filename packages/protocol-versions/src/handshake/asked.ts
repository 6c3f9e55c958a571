import { type JsonObject, RpcError } from "@parlance/jsonrpc";
import type { PagesFirst } from "../era.js";
import { isJsonObject } from "../json-object.js";

const urlElicitationRequired = -32042;

/** The one revision in which an error asks, and in which what a model says may have several blocks. */
const richVersion = "2025-11-25";

/**
 * The pages that a server wants visited before it does what it was asked, as questions named by their ids, with the error
 * that said so.
 * @throws the error, when it is another, or the session's revision has none that asks
 * @see MCP 2025-11-25, client/elicitation, URL elicitation required
 */
export function pagesFirst(error: unknown, version: string): PagesFirst {
  if (version !== richVersion || !(error instanceof RpcError) || error.code !== urlElicitationRequired) throw error;
  const pages = isJsonObject(error.data) ? error.data["elicitations"] : undefined;
  if (!Array.isArray(pages) || pages.length === 0 || !pages.every(isJsonObject)) throw error;
  const questions = pages.map(
    (params, at) => [String(params["elicitationId"] ?? at), { method: "elicitation/create", params }] as const,
  );
  return { type: "input_required", inputRequests: Object.fromEntries(questions), refusal: error };
}

/**
 * An answer as a session's revision has it. A message of a model is one block before 2025-11-25: its texts, or else the first.
 * @see MCP 2025-06-18, schema, CreateMessageResult
 */
export function putAnswer(answer: JsonObject, version: string): JsonObject {
  const { content } = answer;
  if (!Array.isArray(content) || version === richVersion) return answer;
  const texts = content.filter((block) => block?.type === "text").map(({ text }) => text);
  return { ...answer, content: texts.length > 0 ? { type: "text", text: texts.join("\n") } : content[0] };
}
