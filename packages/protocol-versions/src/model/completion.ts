import type { JsonObject } from "@parlance/jsonrpc";

/**
 * What `completion/complete` completes: an argument of a prompt or of a URI template.
 * @see MCP 2026-07-28, schema, PromptReference and ResourceTemplateReference
 * @stable
 */
export type CompletionReference =
  | { readonly type: "ref/prompt"; readonly name: string; readonly title?: string | undefined }
  | { readonly type: "ref/resource"; readonly uri: string };

/**
 * The parameters of `completion/complete`. `context` travels from 2025-06-18.
 * @see MCP 2026-07-28, schema, CompleteRequestParams
 * @stable
 */
export type CompleteParams = {
  readonly ref: CompletionReference;
  readonly argument: { readonly name: string; readonly value: string };
  readonly context?: { readonly arguments?: { readonly [name: string]: string } | undefined } | undefined;
};

/**
 * The result of `completion/complete`.
 * @see MCP 2026-07-28, schema, CompleteResult
 * @stable
 */
export type CompleteResult = {
  readonly completion: {
    /** At most 100. */
    readonly values: readonly string[];
    readonly total?: number | undefined;
    readonly hasMore?: boolean | undefined;
  };
  readonly _meta?: JsonObject | undefined;
};
