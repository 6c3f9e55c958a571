import type { JsonObject } from "@parlance/jsonrpc";
import type { ContentBlock } from "./content.js";
import type { Icon } from "./icon.js";

/**
 * Hints about what a tool does; untrusted unless the server is (2025-03-26 on).
 * @see MCP 2026-07-28, schema, ToolAnnotations
 * @stable
 */
export type ToolAnnotations = {
  readonly title?: string | undefined;
  readonly readOnlyHint?: boolean | undefined;
  readonly destructiveHint?: boolean | undefined;
  readonly idempotentHint?: boolean | undefined;
  readonly openWorldHint?: boolean | undefined;
};

/**
 * A tool as a server lists it.
 * @see MCP 2026-07-28, schema, Tool
 * @stable
 */
export type ToolDefinition = {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject | undefined;
  readonly annotations?: ToolAnnotations | undefined;
  readonly icons?: readonly Icon[] | undefined;
  readonly _meta?: JsonObject | undefined;
};

/**
 * The result of `tools/call`.
 * @see MCP 2026-07-28, schema, CallToolResult
 * @stable
 */
export type CallToolResult = {
  readonly content: readonly ContentBlock[];
  /** An object up to 2025-11-25; any JSON value from 2026-07-28. Test for the key, not for truthiness. */
  readonly structuredContent?: unknown;
  /** Absent means `false`. */
  readonly isError?: boolean | undefined;
  readonly _meta?: JsonObject | undefined;
};
