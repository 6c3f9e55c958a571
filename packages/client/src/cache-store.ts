import type { JsonObject } from "@parlance/jsonrpc";

/**
 * A result that is kept. It is plain data.
 * @stable
 */
export interface CachedResult {
  readonly result: JsonObject;
  /** Until when it is given out without asking, in milliseconds since 1970. */
  readonly freshUntilMs: number;
}

/**
 * Keeps results. One of your own may keep them on disk or for several processes; what it throws, the request throws.
 * @stable
 */
export interface CacheStore {
  get(key: string): CachedResult | undefined | Promise<CachedResult | undefined>;
  set(key: string, entry: CachedResult): void | Promise<void>;
  delete(key: string): void | Promise<void>;
  /** The keys that begin so. */
  keys(prefix: string): Iterable<string> | Promise<Iterable<string>>;
}

/**
 * Keeps results as long as the process runs, the `maxEntries` that were used last.
 * @param options `maxEntries`: default 1,000
 * @stable
 */
export function memoryCache({ maxEntries = 1_000 }: { readonly maxEntries?: number | undefined } = {}): CacheStore {
  const entries = new Map<string, CachedResult>();
  return {
    get: (key) => {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry;
    },
    set: (key, entry) => {
      entries.delete(key);
      entries.set(key, entry);
      for (const oldest of entries.keys()) {
        if (entries.size <= maxEntries) return;
        entries.delete(oldest);
      }
    },
    delete: (key) => void entries.delete(key),
    keys: (prefix) => [...entries.keys()].filter((key) => key.startsWith(prefix)),
  };
}
