import { type JsonObject, LocalError, RpcError, rpcCodes } from "@parlance/jsonrpc";
import type { CallResult } from "@parlance/protocol-versions";
import { type CachedResult, type CacheStore, memoryCache } from "./cache-store.js";
import type { ClientPart } from "./inner.js";
import { isResourceNotFound } from "./not-found.js";

/**
 * How results are kept.
 * @stable
 */
export interface ResponseCacheOptions {
  /** Default: `memoryCache()`. */
  readonly store?: CacheStore | undefined;
  /**
   * Whether what a server calls public is given to other callers too: to clients on the same store whose connections
   * have the same `authority`, whatever their `partition`. Default `false`.
   */
  readonly sharePublic?: boolean | undefined;
  /** No result is fresh for longer, whatever its server says. Default: a day. */
  readonly maxTtlMs?: number | undefined;
  /** Whether a result that is no longer fresh is given when the server cannot be reached. Default `false`. */
  readonly staleIfError?: boolean | undefined;
}

const dayMs = 86_400_000;
/** How many changed URIs are remembered until they are dropped: beyond that all of their kind is. */
const maxDoomed = 100;

/** What may be kept, and which of it an error of another method makes doubtful. */
const kept: readonly string[] = [
  "tools/list",
  "prompts/list",
  "resources/list",
  "resources/templates/list",
  "resources/read",
];
const doubtful: Readonly<Record<string, readonly string[]>> = {
  "tools/call": ["tools/list"],
  "prompts/get": ["prompts/list"],
  "resources/read": ["resources/list", "resources/templates/list"],
};

/** What a notification makes stale. */
const stale: Readonly<Record<string, readonly string[]>> = {
  "notifications/tools/list_changed": ["tools/list"],
  "notifications/prompts/list_changed": ["prompts/list"],
  "notifications/resources/list_changed": ["resources/list", "resources/templates/list"],
  "notifications/resources/updated": ["resources/read"],
};

/**
 * Answers lists and reads again for as long as their servers say: `connectClient({ cache: responseCache(), … })`. What a
 * server says has changed is asked for anew, and so is whatever needed answers of the user. Clients that share a store
 * share what is theirs alone only under one `authority` and one `partition`, and nothing without them. What is given is
 * the kept object itself, frozen: nobody changes it for the next.
 * @see MCP 2026-07-28, server/utilities/caching
 * @stable
 */
export function responseCache(options: ResponseCacheOptions = {}): ClientPart {
  const { store = memoryCache(), sharePublic = false, maxTtlMs = dayMs, staleIfError = false } = options;

  return (client) => {
    const { send, dial, hearing, told } = client;
    const own: string = crypto.randomUUID();
    let server = own;
    let caller = ["private", own];
    let scopes = [caller];
    /** How often a kind of result became stale: one that was asked for before that is not kept. */
    const turns = new Map<string, number>();
    /** What became stale and is still kept, by method: of these URIs, or all of it. */
    const doomed = new Map<string, Set<string> | "all">();
    let dropping: Promise<void> | undefined;

    client.dial = async (...args) => {
      const peer = await dial(...args);
      server = peer.authority ?? own;
      caller = ["private", peer.partition ?? own];
      scopes = sharePublic ? [caller, ["public"]] : [caller];
      return peer;
    };

    hearing.add(({ method, params }) => {
      const uri = params?.["uri"];
      for (const of of stale[method] ?? []) drop(of, typeof uri === "string" ? uri : undefined);
    });

    told.add(({ type }) => {
      // whatever changed while nobody listened was not told
      if (type === "resync") for (const method of kept) drop(method);
    });

    function turnOf(method: string): number {
      return turns.get(method) ?? 0;
    }

    function drop(method: string, uri?: string | undefined): void {
      turns.set(method, turnOf(method) + 1);
      const uris = doomed.get(method) ?? new Set();
      const isSome = uri !== undefined && uris !== "all" && uris.size < maxDoomed;
      doomed.set(method, isSome ? uris.add(uri) : "all");
      // whoever waits for it hears of it
      swept()?.catch(() => {});
    }

    /** A burst of changes is one look at what is kept, and what a store failed to drop is dropped before it is given. */
    function swept(): Promise<void> | undefined {
      if (doomed.size > 0) dropping ??= sweep();
      return dropping;
    }

    async function sweep(): Promise<void> {
      // the changes of one turn come together
      await undefined;
      try {
        for (const [method, uris] of doomed) {
          doomed.delete(method);
          await dropFrom(method, uris).catch((error: unknown) => {
            doomed.set(method, "all");
            throw error;
          });
        }
      } finally {
        dropping = undefined;
      }
    }

    async function dropFrom(method: string, uris: Set<string> | "all"): Promise<void> {
      for (const scope of scopes) {
        const prefix = keyOf(server, scope, method);
        for (const key of await store.keys(prefix)) {
          if (uris === "all" || isRelated(uriIn(key.slice(prefix.length)), uris)) await store.delete(key);
        }
      }
    }

    async function find(method: string, params: JsonObject): Promise<CachedResult | undefined> {
      for (const scope of scopes) {
        const found = await store.get(keyOf(server, scope, method, params));
        if (found !== undefined) return found;
      }
      return undefined;
    }

    async function keep(method: string, params: JsonObject, result: JsonObject): Promise<void> {
      const { ttlMs, cacheScope } = result;
      const freshMs = typeof ttlMs === "number" ? Math.min(ttlMs, maxTtlMs) : 0;
      const [mine = caller, everyones = mine] = scopes;
      const scope = cacheScope === "public" ? everyones : mine;
      for (const other of scopes) if (other !== scope) await store.delete(keyOf(server, other, method, params));
      const key = keyOf(server, scope, method, params);
      if (freshMs > 0) await store.set(key, { result: frozen(result), freshUntilMs: Date.now() + freshMs });
      else await store.delete(key);
    }

    client.send = async (session, method, params, how) => {
      const { inputResponses, requestState, cache: use = "use" } = how;
      const keeps = kept.includes(method) && inputResponses === undefined && requestState === undefined;
      const sweeping = keeps && use !== "bypass" ? swept() : undefined;
      if (sweeping !== undefined) await sweeping;
      const found = keeps && use === "use" ? await find(method, params) : undefined;
      if (found !== undefined && Date.now() < found.freshUntilMs) return { type: "complete", result: found.result };
      const turn = turnOf(method);
      let answer: CallResult;
      try {
        answer = await send(session, method, params, how);
      } catch (error) {
        if (found !== undefined && staleIfError && error instanceof LocalError) {
          return { type: "complete", result: found.result };
        }
        if (isRefusal(error)) for (const of of doubtful[method] ?? (kept.includes(method) ? [method] : [])) drop(of);
        throw error;
      }
      if (keeps && use !== "bypass" && answer.type === "complete" && turn === turnOf(method)) {
        await keep(method, params, answer.result);
      }
      return answer;
    };
  };
}

function isRefusal(error: unknown): boolean {
  return isResourceNotFound(error) || (error instanceof RpcError && error.code === rpcCodes.invalidParams);
}

/** `_meta` says how something is asked for, and not what. */
function keyOf(server: string, scope: readonly string[], method: string, params?: JsonObject | undefined): string {
  const prefix = JSON.stringify([server, scope, method]);
  if (params === undefined) return prefix;
  const said = Object.entries(params).filter(([name, value]) => name !== "_meta" && value !== undefined);
  return prefix + JSON.stringify(Object.fromEntries(said.sort(([a], [b]) => (a < b ? -1 : 1))));
}

function uriIn(params: string): unknown {
  const { uri } = JSON.parse(params);
  return uri;
}

/** Whether one is the other, or is inside of it: an update of a folder may be one of what is in it, and the reverse. */
function isRelated(kept: unknown, updated: Iterable<string>): boolean {
  if (typeof kept !== "string") return false;
  for (const uri of updated) if (isInside(kept, uri) || isInside(uri, kept)) return true;
  return false;
}

function isInside(uri: string, folder: string): boolean {
  return uri === folder || uri.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}

/** All of it, to the bottom: what came as JSON has no circles. */
function frozen<T extends object>(whole: T): T {
  const rest: unknown[] = [whole];
  while (rest.length > 0) {
    const value = rest.pop();
    if (typeof value !== "object" || value === null) continue;
    Object.freeze(value);
    for (const member of Object.values(value)) rest.push(member);
  }
  return whole;
}
