import { type JsonObject, LocalError } from "@parlance/jsonrpc";
import type { CallResult, CallToolResult } from "@parlance/protocol-versions";

/** @throws LocalError `UNSUPPORTED` when the server asks, and nobody answers */
export function resultOf(method: string, answer: CallResult): JsonObject {
  if (answer.type !== "input_required") return answer.result;
  throw new LocalError("UNSUPPORTED", `${method} needs answers from the user, which this client does not give`, {
    details: { method, inputRequests: answer.inputRequests },
  });
}

/** @throws LocalError `BAD_REPLY` when the content is no list; a server may leave it out beside structured content */
export function readToolResult(result: JsonObject): CallToolResult {
  const { content = [] } = result;
  if (Array.isArray(content)) return { ...result, content };
  throw new LocalError("BAD_REPLY", "a tool answered with content that is no list");
}
