import { type JsonObject, type Result, serializedText } from "@parlance/jsonrpc";
import type { CacheHint } from "../feature.js";
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

const keptNowhere: CacheHint = { ttlMs: 0, scope: "private" };

/**
 * Gives results the members that this era adds.
 */
export interface ResultShaper {
  complete(method: string, result: JsonObject, stable?: boolean, hint?: CacheHint): Result;
  other(resultType: string, result: JsonObject): Result;
}

/**
 * What this era adds is the same for every result of a server, so it is kept as text and put in front of the text of
 * the result; only a result that has such members itself is copied.
 * @see MCP 2026-07-28, basic, responses; server/utilities/caching
 */
export function createResultShaper(info: Implementation): ResultShaper {
  const ours: JsonObject = { [serverInfoKey]: info };
  const meta = `"_meta":${JSON.stringify(ours)}`;
  const completeHead = `{"resultType":"complete",${meta}`;
  const keptNowhereHead = cachedHead(keptNowhere);
  const texts = new WeakMap<JsonObject, string>();

  function cachedHead({ ttlMs, scope }: CacheHint): string {
    return `{"resultType":"complete","ttlMs":${ttlMs},"cacheScope":"${scope}",${meta}`;
  }

  function stableText(result: JsonObject): string {
    const known = texts.get(result);
    if (known !== undefined) {
      return known;
    }
    const text = textOf(result);
    texts.set(result, text);
    return text;
  }

  function merged(resultType: string, result: JsonObject, hint: CacheHint | undefined): JsonObject {
    const cache = hint && { ttlMs: hint.ttlMs, cacheScope: hint.scope };
    const theirs = result["_meta"];
    return { ...result, ...cache, resultType, _meta: typeof theirs === "object" ? { ...theirs, ...ours } : ours };
  }

  return {
    complete(method, result, stable, hint) {
      const cache = cacheable.has(method) ? (hint === undefined ? keptNowhere : sound(hint)) : undefined;
      if (hasEraMembers(result)) {
        return merged("complete", result, cache);
      }
      const head = cache === undefined ? completeHead : cache === keptNowhere ? keptNowhereHead : cachedHead(cache);
      return spliced(head, stable === true ? stableText(result) : textOf(result));
    },
    other(resultType, result) {
      return hasEraMembers(result)
        ? merged(resultType, result, undefined)
        : spliced(`{"resultType":${JSON.stringify(resultType)},${meta}`, textOf(result));
    },
  };
}

function hasEraMembers(result: JsonObject): boolean {
  return "_meta" in result || "resultType" in result || "ttlMs" in result || "cacheScope" in result;
}

function sound({ ttlMs, scope }: CacheHint): CacheHint {
  return {
    ttlMs: Number.isSafeInteger(ttlMs) && ttlMs >= 0 ? ttlMs : 0,
    scope: scope === "public" ? "public" : "private",
  };
}

function textOf(result: JsonObject): string {
  const text: string | undefined = JSON.stringify(result);
  if (text?.startsWith("{") !== true) {
    throw new TypeError(`a result must be a JSON object, got ${text}`);
  }
  return text;
}

function spliced(head: string, text: string): Result {
  return { [serializedText]: text === "{}" ? `${head}}` : `${head},${text.slice(1)}` };
}
