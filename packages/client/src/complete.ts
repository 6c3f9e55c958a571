import { LocalError } from "@parlance/jsonrpc";
import { type CompletionReference, completesInContext } from "@parlance/protocol-versions";
import type { Client } from "./client.js";
import type { RequestOptions } from "./waiting.js";

/**
 * What a server suggests.
 * @stable
 */
export interface Suggestions {
  readonly values: readonly string[];
  /** How many there are in all, as far as the server says. */
  readonly total: number | undefined;
  readonly hasMore: boolean;
}

/**
 * How suggestions are asked for.
 * @stable
 */
export interface CompleteOptions extends RequestOptions {
  /** The arguments that have their values already (2025-06-18 on; earlier servers are not told). */
  readonly chosen?: Readonly<Record<string, string>> | undefined;
}

/**
 * Asks for suggestions for an argument of a prompt, or a variable of a template of resources.
 * @param value what was typed so far
 * @throws LocalError `UNSUPPORTED` when the server suggests nothing; `BAD_REPLY` for a suggestion that is no text
 * @see MCP 2026-07-28, server/utilities/completion
 * @stable
 */
export async function complete(
  client: Client,
  ref: CompletionReference,
  argument: string,
  value: string,
  { chosen, ...options }: CompleteOptions = {},
): Promise<Suggestions> {
  const tells = chosen !== undefined && completesInContext(client.server.version);
  const context = tells ? { context: { arguments: chosen } } : undefined;
  const params = { ref, argument: { name: argument, value }, ...context };
  const { completion } = await client.request("completion/complete", params, options);
  return readSuggestions(completion);
}

/** A server that has nothing to suggest may leave out any of it. */
function readSuggestions(completion: unknown): Suggestions {
  const { values = [], total, hasMore } = Object(completion ?? {});
  if (!Array.isArray(values) || !values.every((value) => typeof value === "string")) {
    throw new LocalError("BAD_REPLY", "completion/complete was answered with values that are no list of texts", {
      details: { method: "completion/complete" },
    });
  }
  return { values, total: typeof total === "number" ? total : undefined, hasMore: hasMore === true };
}
