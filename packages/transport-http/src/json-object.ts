import type { JsonObject } from "@parlance/jsonrpc";

/** Whether a value is an object of JSON, and no array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
