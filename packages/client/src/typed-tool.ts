import { type JsonObject, LocalError } from "@parlance/jsonrpc";
import type { CallToolResult } from "@parlance/protocol-versions";
import type { Client } from "./client.js";
import type { Schema } from "./schema.js";
import type { RequestOptions } from "./waiting.js";

/**
 * The result of a tool whose structured content was checked: it is there unless the tool failed.
 * @stable
 */
export type TypedToolResult<T> =
  | (Omit<CallToolResult, "structuredContent" | "isError"> & {
      readonly isError?: false | undefined;
      readonly structuredContent: T;
    })
  | (Omit<CallToolResult, "structuredContent" | "isError"> & { readonly isError: true });

/**
 * Calls a tool whose structured content is checked by a schema, typed by it, and given as the schema made it.
 * @throws LocalError `BAD_REPLY`, with `issues` in its details, when it does not fit; and what `client.callTool` throws
 * @see MCP 2026-07-28, server/tools, output schema
 * @stable
 */
export async function callTypedTool<T>(
  client: Client,
  name: string,
  args: JsonObject,
  output: Schema<T>,
  options?: RequestOptions,
): Promise<TypedToolResult<T>> {
  const { isError, ...result } = await client.callTool(name, args, options);
  if (isError === true) return { ...result, isError };
  return { ...result, structuredContent: await readOutput(name, result, output) };
}

/**
 * Reads structured content, as a schema makes it.
 * @throws LocalError `BAD_REPLY`, with `issues` in its details
 */
export async function readOutput<T>(name: string, result: object, schema: Schema<T>): Promise<T> {
  const structured: unknown = "structuredContent" in result ? result.structuredContent : undefined;
  const read = await schema["~standard"].validate(structured);
  if (read.issues === undefined) return read.value;
  const [first] = read.issues;
  const path = first?.path?.map((segment) => String(typeof segment === "object" ? segment.key : segment)).join(".");
  const what =
    structured === undefined
      ? "no structured content"
      : `structured content that does not fit: ${path ? `${path}: ` : ""}${first?.message}`;
  throw new LocalError("BAD_REPLY", `tool ${name} answered with ${what}`, {
    details: { tool: name, issues: read.issues },
  });
}
