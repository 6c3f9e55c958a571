import type { JsonObject } from "@parlance/jsonrpc";

/**
 * What a client can do for a server. Unknown members are kept.
 * @see MCP 2026-07-28, schema, ClientCapabilities
 * @stable
 */
export type ClientCapabilities = {
  readonly experimental?: JsonObject | undefined;
  readonly roots?: { readonly listChanged?: boolean | undefined } | undefined;
  readonly sampling?:
    | { readonly context?: JsonObject | undefined; readonly tools?: JsonObject | undefined }
    | undefined;
  readonly elicitation?: { readonly form?: JsonObject | undefined; readonly url?: JsonObject | undefined } | undefined;
  readonly extensions?: JsonObject | undefined;
};

/**
 * What a server offers. Unknown members are kept.
 * @see MCP 2026-07-28, schema, ServerCapabilities
 * @stable
 */
export type ServerCapabilities = {
  readonly experimental?: JsonObject | undefined;
  readonly logging?: JsonObject | undefined;
  readonly completions?: JsonObject | undefined;
  readonly prompts?: { readonly listChanged?: boolean | undefined } | undefined;
  readonly resources?:
    | { readonly subscribe?: boolean | undefined; readonly listChanged?: boolean | undefined }
    | undefined;
  readonly tools?: { readonly listChanged?: boolean | undefined } | undefined;
  readonly extensions?: JsonObject | undefined;
};
