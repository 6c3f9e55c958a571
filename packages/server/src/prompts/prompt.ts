import type { JsonObject } from "@parlance/jsonrpc";
import type { Call, ContentBlock } from "@parlance/protocol-versions";
import type { Completer } from "../completion/completer.js";
import type { Described } from "../definition.js";

/**
 * An argument that a prompt takes; its value is text.
 * @see MCP 2026-07-28, server/prompts
 * @stable
 */
export interface PromptParameter {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** Without it the prompt is refused. Default `false`. */
  readonly required?: boolean | undefined;
  /** Suggests values. */
  readonly complete?: Completer | undefined;
}

/**
 * The arguments that a prompt takes, by name.
 * @stable
 */
export interface PromptParameters {
  readonly [name: string]: PromptParameter;
}

/**
 * The values of a prompt's arguments: those that are required are there.
 * @stable
 */
export type PromptValues<P extends PromptParameters> = {
  readonly [K in keyof P]: P[K] extends { readonly required: true } ? string : string | undefined;
};

/**
 * One message of a prompt: text stands for a text block.
 * @stable
 */
export interface PromptLine {
  readonly role: "user" | "assistant";
  readonly content: string | ContentBlock;
}

/**
 * What a prompt gives: text or a block for one message of the user, several messages, or a whole result.
 * @stable
 */
export type PromptReturn =
  | string
  | ContentBlock
  | readonly (string | ContentBlock | PromptLine)[]
  | {
      readonly messages: readonly (string | ContentBlock | PromptLine)[];
      readonly description?: string | undefined;
      readonly _meta?: JsonObject | undefined;
    };

/**
 * A prompt: what it is called, what it takes, and the messages it gives.
 * @see MCP 2026-07-28, server/prompts
 * @stable
 */
export interface Prompt<P extends PromptParameters = PromptParameters> extends Described {
  readonly name: string;
  /** In the order in which they are listed. Default: none. */
  readonly arguments?: P | undefined;
  /** Reached only when what is required is there. Arguments that it does not declare are left out. */
  get(values: PromptValues<NoInfer<P>>, call: Call): PromptReturn | Promise<PromptReturn>;
}

/**
 * A prompt whose arguments are forgotten, as lists hold it.
 * @stable
 */
export interface AnyPrompt extends Described {
  readonly name: string;
  readonly arguments?: PromptParameters | undefined;
  get(values: never, call: Call): PromptReturn | Promise<PromptReturn>;
}

/**
 * Writes a prompt, its `get` typed by its arguments. It returns what it is given.
 * @stable
 */
export function prompt<const P extends PromptParameters = Record<never, never>>(prompt: Prompt<P>): Prompt<P> {
  return prompt;
}
