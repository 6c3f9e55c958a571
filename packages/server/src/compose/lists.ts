import type { JsonObject } from "@parlance/jsonrpc";
import { excerpt } from "@parlance/jsonrpc/codec";
import {
  type CacheHint,
  type Call,
  changedCall,
  type Feature,
  isJsonObject,
  type Outcome,
} from "@parlance/protocol-versions";
import { refuse } from "../list.js";
import { isMissing } from "./in-turn.js";

/** A list: the member of its result that holds it, and the member of an entry that no two have in common. */
export interface Listed {
  readonly member: string;
  readonly key: string;
}

/** The methods that list. */
export const listed: ReadonlyMap<string, Listed> = /* @__PURE__ */ new Map([
  ["tools/list", { member: "tools", key: "name" }],
  ["prompts/list", { member: "prompts", key: "name" }],
  ["resources/list", { member: "resources", key: "uri" }],
  ["resources/templates/list", { member: "resourceTemplates", key: "uriTemplate" }],
]);

type Complete = Extract<Outcome, { readonly type: "complete" }>;

/** How many lists are kept as they were sent, so that their text is. */
const remembered = 8;

/**
 * Makes one list of several. A page goes on from list to list until one of them says that it has more; the cursor says
 * which, and has its own in it.
 */
export function joinLists(list: Listed, features: readonly Feature[]): Feature {
  let kept: { readonly pages: readonly Complete[]; readonly joined: Complete }[] = [];

  function joinPages(pages: readonly Complete[], first: boolean, nextCursor: string | undefined): Complete {
    const results = pages.map(({ result }) => result);
    const known = kept.find(
      ({ pages: before, joined }) =>
        joined.result["nextCursor"] === nextCursor &&
        before.length === pages.length &&
        before.every(({ result }, at) => result === results[at]),
    );
    if (known !== undefined) return known.joined;
    const cache = commonHint(pages, first && nextCursor === undefined);
    const result = {
      ...Object.assign({}, ...results.toReversed()),
      [list.member]: entriesOf(list, results),
      nextCursor,
    };
    if (!pages.every(({ stable }) => stable)) return { type: "complete", result, cache };
    const joined: Complete = { type: "complete", result: Object.freeze(result), stable: true, cache };
    kept = [{ pages, joined }, ...kept].slice(0, remembered);
    return joined;
  }

  return async (call) => {
    const { cursor } = call.params;
    const start = cursor === undefined ? { at: 0, cursor: undefined } : readCursor(cursor, features.length);
    if (start === undefined) return refuse(`the cursor ${excerpt(cursor)} was never given out`);
    const pages: Complete[] = [];
    let inner = start.cursor;
    for (const [at, feature] of features.entries()) {
      if (at < start.at) continue;
      const page = await pageOf(feature, call, inner);
      if (page === undefined) continue;
      if (page.type !== "complete") return page;
      pages.push(page);
      const { nextCursor } = page.result;
      if (typeof nextCursor === "string") return joinPages(pages, cursor === undefined, `${at}:${nextCursor}`);
      inner = undefined;
    }
    return joinPages(pages, cursor === undefined, undefined);
  };
}

/** `undefined` where there is no such list. */
async function pageOf(feature: Feature, call: Call, cursor: string | undefined): Promise<Outcome | undefined> {
  const { cursor: _cursor, ...params } = call.params;
  const own = changedCall(call, { params: cursor === undefined ? params : { ...params, cursor } });
  try {
    return await feature(own);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** A cursor is the place of a list among the others, and that list's own. */
function readCursor(cursor: unknown, count: number): { readonly at: number; readonly cursor: string } | undefined {
  if (typeof cursor !== "string") return undefined;
  const end = cursor.indexOf(":");
  const place = cursor.slice(0, end);
  return end > 0 && /^(?:0|[1-9]\d{0,8})$/.test(place) && Number(place) < count
    ? { at: Number(place), cursor: cursor.slice(end + 1) }
    : undefined;
}

function entriesOf({ member, key }: Listed, results: readonly JsonObject[]): readonly unknown[] {
  const entries = new Map<unknown, unknown>();
  for (const { [member]: items } of results) {
    for (const item of Array.isArray(items) ? items : []) {
      const name: unknown = isJsonObject(item) ? item[key] : item;
      if (!entries.has(name)) entries.set(name, item);
    }
  }
  return Object.freeze([...entries.values()]);
}

/**
 * How long all of it may be kept. All pages have one scope, and what is on the others is not known: then it is the narrower.
 * @see MCP 2026-07-28, server/utilities/caching
 */
function commonHint(pages: readonly Complete[], isWhole: boolean): CacheHint | undefined {
  const hints = pages.flatMap(({ cache }) => cache ?? []);
  if (hints.length < pages.length || hints.length === 0) return undefined;
  const isPublic = isWhole && hints.every(({ scope }) => scope === "public");
  return { ttlMs: Math.min(...hints.map(({ ttlMs }) => ttlMs)), scope: isPublic ? "public" : "private" };
}
