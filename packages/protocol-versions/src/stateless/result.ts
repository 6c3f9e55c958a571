import { type JsonObject, LocalError, serializedText } from "@parlance/jsonrpc";
import type { CacheHint } from "../feature.js";
import { memo } from "../memo.js";
import type { Implementation } from "../model/implementation.js";
import type { Speech } from "../serving.js";
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

type Cache = { readonly ttlMs: number; readonly cacheScope: "public" | "private" };

/**
 * Gives results the members that this era adds. They are the same for every result of a server, so they are kept as text
 * and put in front of the text of the result; only a result that has such members itself is copied.
 * @see MCP 2026-07-28, basic, responses; server/utilities/caching
 */
export function createResultShaper(info: Implementation): Speech["shape"] {
  const ours: JsonObject = { [serverInfoKey]: info };
  const meta = `"_meta":${JSON.stringify(ours)}`;
  const texts = new WeakMap<JsonObject, string>();

  return (method, outcome) => {
    const { result } = outcome;
    const isComplete = outcome.type === "complete";
    const resultType = isComplete ? "complete" : outcome.resultType;
    const cache = isComplete && cacheable.has(method) ? soundCache(outcome.cache) : undefined;
    if (hasEraMembers(result)) {
      const theirs = result["_meta"];
      return { ...result, ...cache, resultType, _meta: typeof theirs === "object" ? { ...theirs, ...ours } : ours };
    }
    const text = isComplete && outcome.stable === true ? memo(texts, result, () => textOf(result)) : textOf(result);
    const caching = cache ? `"ttlMs":${cache.ttlMs},"cacheScope":"${cache.cacheScope}",` : "";
    const type = isComplete ? '"complete"' : JSON.stringify(resultType);
    const head = `{"resultType":${type},${caching}${meta}`;
    return { [serializedText]: text === "{}" ? `${head}}` : `${head},${text.slice(1)}` };
  };
}

function hasEraMembers(result: JsonObject): boolean {
  return "_meta" in result || "resultType" in result || "ttlMs" in result || "cacheScope" in result;
}

/** A year, as for HTTP: what is kept longer is kept for ever. */
const longestTtlMs = 31_536_000_000;

/** Without a hint, or with one that is none, nothing is kept. */
function soundCache({ ttlMs = 0, scope }: Partial<CacheHint> = {}): Cache {
  return {
    ttlMs: Number.isSafeInteger(ttlMs) && ttlMs >= 0 ? Math.min(ttlMs, longestTtlMs) : 0,
    cacheScope: scope === "public" ? "public" : "private",
  };
}

function textOf(result: JsonObject): string {
  const text: string | undefined = JSON.stringify(result);
  if (text?.startsWith("{") !== true) {
    throw new LocalError("INVALID_ARGUMENT", "a result must be a JSON object");
  }
  return text;
}
