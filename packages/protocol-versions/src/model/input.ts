import type { JsonObject } from "@parlance/jsonrpc";

/**
 * Questions that a result of type `input_required` asks, by key.
 * @see MCP 2026-07-28, schema, InputRequests
 * @stable
 */
export type InputRequests = {
  readonly [key: string]: { readonly method: string; readonly params?: JsonObject | undefined };
};

/**
 * The answers to such questions, by the same keys.
 * @see MCP 2026-07-28, schema, InputResponses
 * @stable
 */
export type InputResponses = { readonly [key: string]: JsonObject };

/**
 * The methods whose results may ask.
 * @see MCP 2026-07-28, basic/patterns/mrtr
 * @stable
 */
export const askingMethods: readonly string[] = ["tools/call", "prompts/get", "resources/read"];
