import type { JsonObject } from "@parlance/jsonrpc";

/**
 * A place that a client lets a server work in, as a `file:` URI.
 * @see MCP 2026-07-28, schema, Root
 * @stable
 */
export type Root = {
  readonly uri: string;
  readonly name?: string | undefined;
  readonly _meta?: JsonObject | undefined;
};

/**
 * The answer to `roots/list`.
 * @see MCP 2026-07-28, schema, ListRootsResult
 * @stable
 */
export type ListRootsResult = { readonly roots: readonly Root[] };
