import type { JsonObject } from "@parlance/jsonrpc";
import type { AudioContent, ContentBlock, ImageContent, TextContent } from "./content.js";
import type { ToolDefinition } from "./tool.js";

/** A model's wish to use a tool (2025-11-25 on). @stable */
export type ToolUseContent = {
  readonly type: "tool_use";
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
  readonly _meta?: JsonObject | undefined;
};

/** What the tool answered (2025-11-25 on). @stable */
export type ToolResultContent = {
  readonly type: "tool_result";
  readonly toolUseId: string;
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
  readonly _meta?: JsonObject | undefined;
};

/**
 * One block of a sampling message.
 * @see MCP 2026-07-28, schema, SamplingMessageContentBlock
 * @stable
 */
export type SamplingContent = TextContent | ImageContent | AudioContent | ToolUseContent | ToolResultContent;

/**
 * A message to or from a model. Up to 2025-06-18 `content` is one block only.
 * @see MCP 2026-07-28, schema, SamplingMessage
 * @stable
 */
export type SamplingMessage = {
  readonly role: "user" | "assistant";
  readonly content: SamplingContent | readonly SamplingContent[];
  readonly _meta?: JsonObject | undefined;
};

/**
 * Which model a server would like; each priority 0 to 1.
 * @see MCP 2026-07-28, schema, ModelPreferences
 * @stable
 */
export type ModelPreferences = {
  readonly hints?: readonly { readonly name?: string | undefined }[] | undefined;
  readonly costPriority?: number | undefined;
  readonly speedPriority?: number | undefined;
  readonly intelligencePriority?: number | undefined;
};

/**
 * The parameters of `sampling/createMessage`. `tools` and `toolChoice` travel from 2025-11-25.
 * @see MCP 2026-07-28, schema, CreateMessageRequestParams
 * @stable
 */
export type CreateMessageParams = {
  readonly messages: readonly SamplingMessage[];
  readonly maxTokens: number;
  readonly modelPreferences?: ModelPreferences | undefined;
  readonly systemPrompt?: string | undefined;
  readonly includeContext?: "none" | "thisServer" | "allServers" | undefined;
  readonly temperature?: number | undefined;
  readonly stopSequences?: readonly string[] | undefined;
  readonly metadata?: JsonObject | undefined;
  readonly tools?: readonly ToolDefinition[] | undefined;
  readonly toolChoice?: { readonly mode?: "auto" | "required" | "none" | undefined } | undefined;
};

/**
 * The answer to `sampling/createMessage`.
 * @see MCP 2026-07-28, schema, CreateMessageResult
 * @stable
 */
export type CreateMessageResult = SamplingMessage & {
  readonly model: string;
  readonly stopReason?: string | undefined;
};
