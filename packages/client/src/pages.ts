import { type JsonObject, LocalError } from "@parlance/jsonrpc";
import type { ClientReport } from "./report.js";

/** How a list is read. */
export interface Pages {
  readonly method: string;
  /** The member of a result that holds the entries. */
  readonly member: string;
  readonly maxPages: number;
  readonly ask: (params: JsonObject) => Promise<JsonObject>;
  readonly report: (report: ClientReport) => void;
}

/**
 * Reads all pages of a list. A cursor is opaque, and may be empty; one that comes again says that the server goes round
 * in circles, so what came is all there is.
 * @throws LocalError `BAD_REPLY` when a page is none, or the list has no end
 * @see MCP 2026-07-28, server/utilities/pagination
 */
export async function readPages({ method, member, maxPages, ask, report }: Pages): Promise<readonly unknown[]> {
  const entries: unknown[] = [];
  const seen = new Set<string>();
  let params: JsonObject = {};
  for (let pages = 1; pages <= maxPages; pages++) {
    const { [member]: page, nextCursor: cursor } = await ask(params);
    if (!Array.isArray(page)) throw badPage(method, `${member} that is no list`);
    for (const entry of page) entries.push(entry);
    if (cursor === undefined || cursor === null) return entries;
    if (typeof cursor !== "string") throw badPage(method, `nextCursor ${JSON.stringify(cursor)}, which is no string`);
    if (seen.has(cursor)) {
      report({ kind: "cursor_repeated", method, cursor, pages });
      return entries;
    }
    seen.add(cursor);
    params = { cursor };
  }
  throw badPage(method, `more than ${maxPages} pages`);
}

function badPage(method: string, what: string): LocalError {
  return new LocalError("BAD_REPLY", `${method} was answered with ${what}`, { details: { method } });
}
