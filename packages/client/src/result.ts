import { type JsonObject, LocalError } from "@parlance/jsonrpc";
import { excerpt } from "@parlance/jsonrpc/codec";
import type { CallResult, CallToolResult } from "@parlance/protocol-versions";

/**
 * @throws LocalError `BAD_REPLY` for a type of result that nothing of this client knows; `UNSUPPORTED` when the server asks,
 * and nobody answers
 * @see MCP 2026-07-28, basic, responses
 */
export function resultOf(method: string, { type, result }: CallResult): JsonObject {
  if (type === "complete") return result;
  const code = type === "input_required" ? "UNSUPPORTED" : "BAD_REPLY";
  const message = `${method} was answered with a result of type ${excerpt(type)}, which this client does not take`;
  throw new LocalError(code, message, { details: { method, result } });
}

/** @throws LocalError `BAD_REPLY` when the content is no list; a server may leave it out beside structured content */
export function readToolResult(result: JsonObject): CallToolResult {
  const { content = [] } = result;
  if (Array.isArray(content)) return { ...result, content };
  throw new LocalError("BAD_REPLY", "a tool answered with content that is no list");
}
