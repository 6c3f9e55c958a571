import { type JsonObject, LocalError } from "@parlance/jsonrpc";
import { excerpt } from "@parlance/jsonrpc/codec";
import type { Client } from "./client.js";
import { clientDefaults } from "./defaults.js";
import type { RequestOptions } from "./waiting.js";

/**
 * How a list is read. `timeoutMs` is for each page, `maxTotalMs` for all of them.
 * @stable
 */
export interface ListOptions extends RequestOptions {
  /** A list with more pages is an error. Default 1,000. */
  readonly maxPages?: number | undefined;
}

/**
 * Reads a list page by page. A cursor is opaque, and may be empty.
 * @throws LocalError `BAD_REPLY` when a page is none, or the list has no end; `TIMEOUT` when it is too slow
 * @see MCP 2026-07-28, server/utilities/pagination
 */
export async function* readPages(
  method: string,
  member: string,
  ask: Client["request"],
  options: ListOptions,
): AsyncGenerator<readonly unknown[], void> {
  const { maxPages = clientDefaults.maxPages } = options;
  const seen = new Set<string>();
  let params: JsonObject = {};
  for (let pages = 1; pages <= maxPages; pages++) {
    const { [member]: page, nextCursor: cursor } = await ask(method, params, options);
    if (!Array.isArray(page)) throw badPage(method, `${member} that is no list`);
    yield page;
    if (cursor === undefined || cursor === null) return;
    if (typeof cursor !== "string") throw badPage(method, `nextCursor ${excerpt(cursor)}, no string`);
    if (seen.has(cursor)) throw badPage(method, `nextCursor ${excerpt(cursor)} a second time`, { cursor, pages });
    seen.add(cursor);
    params = { cursor };
  }
  throw badPage(method, `more than ${maxPages} pages`);
}

function badPage(method: string, what: string, details?: JsonObject): LocalError {
  return new LocalError("BAD_REPLY", `${method} was answered with ${what}`, { details: { method, ...details } });
}
