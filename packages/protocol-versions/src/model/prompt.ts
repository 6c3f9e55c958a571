import type { JsonObject } from "@parlance/jsonrpc";
import type { ContentBlock } from "./content.js";
import type { Icon } from "./icon.js";

/**
 * An argument of a prompt; its value is a string. `title` travels from 2025-06-18.
 * @see MCP 2026-07-28, schema, PromptArgument
 * @stable
 */
export type PromptArgument = {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** Absent means `false`. */
  readonly required?: boolean | undefined;
};

/**
 * A prompt as a server lists it. `title` and `_meta` travel from 2025-06-18, `icons` from 2025-11-25.
 * @see MCP 2026-07-28, schema, Prompt
 * @stable
 */
export type PromptDefinition = {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly arguments?: readonly PromptArgument[] | undefined;
  readonly icons?: readonly Icon[] | undefined;
  readonly _meta?: JsonObject | undefined;
};

/**
 * One message of a prompt.
 * @see MCP 2026-07-28, schema, PromptMessage
 * @stable
 */
export type PromptMessage = { readonly role: "user" | "assistant"; readonly content: ContentBlock };

/**
 * The result of `prompts/get`.
 * @see MCP 2026-07-28, schema, GetPromptResult
 * @stable
 */
export type GetPromptResult = {
  readonly description?: string | undefined;
  readonly messages: readonly PromptMessage[];
  readonly _meta?: JsonObject | undefined;
};
