import type { JsonObject } from "@parlance/jsonrpc";

/**
 * Whether a value is a JSON object: not `null`, not an array.
 * @stable
 */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
