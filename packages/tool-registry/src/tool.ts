import type { JsonObject } from "@parlance/jsonrpc";
import type { Call, ContentBlock, Icon, ToolAnnotations } from "@parlance/protocol-versions";
import type { Entry, ownEntry, Runnable } from "./entry.js";
import type { Needs } from "./needs.js";
import type { Schema } from "./schema.js";

/**
 * The call that a tool is run for: its signal, caller, principal, progress and log.
 * @stable
 */
export type ToolCall = Call;

/**
 * A result that says more than a value: its own content blocks, an error flag, `_meta`.
 * @see MCP 2026-07-28, schema, CallToolResult
 * @stable
 */
export interface ToolResult<Structured = unknown> {
  /** Default: the structured content as text, or nothing. */
  readonly content?: readonly ContentBlock[] | undefined;
  /** Any JSON value; checked against the output schema where there is one. */
  readonly structuredContent?: Structured | undefined;
  /** Says that the tool failed, and `content` why. Such a result is not checked. Default `false`. */
  readonly isError?: boolean | undefined;
  readonly _meta?: JsonObject | undefined;
}

/**
 * What a tool may return. With an output schema: a value that fits it, or a result that holds one or is an error.
 * Without: anything that is JSON (sent as text), content blocks, a `ToolResult`, or nothing.
 * @stable
 */
export type ToolReturn<O> =
  | O
  | (ToolResult & { readonly structuredContent: O })
  | (ToolResult & { readonly isError: true });

/**
 * A tool: what it is called, what it takes, and what it does. `I` is what the input schema gives, `O` what the output schema takes.
 * @see MCP 2026-07-28, server/tools
 * @stable
 */
export interface Tool<I = Record<string, never>, O = unknown> {
  /** 1 to 128 characters out of `A–Z a–z 0–9 _ - .`; others are taken, and reported. */
  readonly name: string;
  readonly description: string;
  /** The name for people. */
  readonly title?: string | undefined;
  /** Of an object. Zod gives JSON Schema from 4.2 on. Absent: the tool takes no arguments, and is given `{}`. */
  readonly input?: Schema<I> | undefined;
  readonly output?: Schema<unknown, O> | undefined;
  /** What the client must be able to do: `clientWith({ elicitation: {} })`. Without it the call is refused and `run` is not reached. */
  readonly needs?: Needs | undefined;
  readonly annotations?: ToolAnnotations | undefined;
  readonly icons?: readonly Icon[] | undefined;
  /** Listed as `_meta`. */
  readonly meta?: JsonObject | undefined;
  /** Does the work. What it throws, and an `Error` that it returns, is answered with a reference only, unless it is a `PublicError`, `RpcError` or `AccessError`. */
  run(input: NoInfer<I>, call: ToolCall): ToolReturn<NoInfer<O>> | Promise<ToolReturn<NoInfer<O>>>;
}

/**
 * A tool whose types are forgotten, as lists hold it.
 * @stable
 */
export interface AnyTool {
  readonly name: string;
  readonly description: string;
  readonly title?: string | undefined;
  readonly input?: Schema | undefined;
  readonly output?: Schema | undefined;
  readonly needs?: Needs | undefined;
  readonly annotations?: ToolAnnotations | undefined;
  readonly icons?: readonly Icon[] | undefined;
  readonly meta?: JsonObject | undefined;
  /** Only `remoteTool` sets it. */
  readonly [ownEntry]?: ((tool: Runnable) => Entry) | undefined;
  run(input: never, call: ToolCall): unknown;
}

/**
 * Writes a tool, its `run` typed by its schemas. It returns what it is given.
 * @stable
 */
export function tool<I = Record<string, never>, O = unknown>(tool: Tool<I, O>): Tool<I, O> {
  return tool;
}
