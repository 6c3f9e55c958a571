import { type JsonObject, LocalError, type Result, serializedText } from "@parlance/jsonrpc";
import type { CacheHint } from "../feature.js";
import { memo } from "../memo.js";
import type { Implementation } from "../model/implementation.js";
import { discoverMethod, serverInfoKey } from "./envelope.js";

/** The methods whose complete results say how long they may be kept. */
const cacheable: ReadonlySet<string> = new Set([
  discoverMethod,
  "tools/list",
  "prompts/list",
  "resources/list",
  "resources/templates/list",
  "resources/read",
]);

/**
 * Gives results the members that this era adds.
 */
export interface ResultShaper {
  complete(method: string, result: JsonObject, stable?: boolean, hint?: CacheHint): Result;
  other(resultType: string, result: JsonObject): Result;
}

type Cache = { readonly ttlMs: number; readonly cacheScope: "public" | "private" };

/**
 * What this era adds is the same for every result of a server, so it is kept as text and put in front of the text of
 * the result; only a result that has such members itself is copied.
 * @see MCP 2026-07-28, basic, responses; server/utilities/caching
 */
export function createResultShaper(info: Implementation): ResultShaper {
  const ours: JsonObject = { [serverInfoKey]: info };
  const meta = `"_meta":${JSON.stringify(ours)}`;
  const completeHead = headOf("complete", undefined);
  const texts = new WeakMap<JsonObject, string>();

  function headOf(resultType: string, cache: Cache | undefined): string {
    const caching = cache ? `"ttlMs":${cache.ttlMs},"cacheScope":"${cache.cacheScope}",` : "";
    return `{"resultType":${JSON.stringify(resultType)},${caching}${meta}`;
  }

  function merged(resultType: string, result: JsonObject, cache: Cache | undefined): JsonObject {
    const theirs = result["_meta"];
    return { ...result, ...cache, resultType, _meta: typeof theirs === "object" ? { ...theirs, ...ours } : ours };
  }

  return {
    complete(method, result, stable, hint) {
      const cache = cacheable.has(method) ? soundCache(hint) : undefined;
      if (hasEraMembers(result)) {
        return merged("complete", result, cache);
      }
      const head = cache === undefined ? completeHead : headOf("complete", cache);
      return spliced(head, stable === true ? memo(texts, result, () => textOf(result)) : textOf(result));
    },
    other(resultType, result) {
      return hasEraMembers(result)
        ? merged(resultType, result, undefined)
        : spliced(headOf(resultType, undefined), textOf(result));
    },
  };
}

function hasEraMembers(result: JsonObject): boolean {
  return "_meta" in result || "resultType" in result || "ttlMs" in result || "cacheScope" in result;
}

/** A year, as for HTTP: what is kept longer is kept for ever. */
const longestTtlMs = 31_536_000_000;

/** Without a hint, or with one that is none, nothing is kept. */
function soundCache({ ttlMs, scope }: Partial<CacheHint> = {}): Cache {
  return {
    ttlMs: ttlMs !== undefined && Number.isSafeInteger(ttlMs) && ttlMs >= 0 ? Math.min(ttlMs, longestTtlMs) : 0,
    cacheScope: scope === "public" ? "public" : "private",
  };
}

function textOf(result: JsonObject): string {
  const text: string | undefined = JSON.stringify(result);
  if (text?.startsWith("{") !== true) {
    throw new LocalError("INVALID_ARGUMENT", `a result must be a JSON object, not ${text}`);
  }
  return text;
}

function spliced(head: string, text: string): Result {
  return { [serializedText]: text === "{}" ? `${head}}` : `${head},${text.slice(1)}` };
}
