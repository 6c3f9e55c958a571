import { type JsonObject, LocalError } from "@parlance/jsonrpc";
import type { CacheHint, Call, Pages } from "@parlance/protocol-versions";
import type { CatalogReport } from "./report.js";

/**
 * How something is added.
 * @stable
 */
export interface AddOptions {
  /** Whose it is, for `removeOwner`. */
  readonly owner?: string | undefined;
  /** `false`: it is unknown until `enable`. Default `true`. */
  readonly enabled?: boolean | undefined;
}

/**
 * How lists are shown, of resources as of prompts.
 * @stable
 */
export interface CatalogOptions<T> {
  /**
   * What a caller may see. What it may not see is unknown to it, in lists and when asked for.
   * Decide by `call.principal`: the set must not depend on the connection or on earlier calls. Default: all.
   */
  readonly visible?: ((item: T, call: Call) => boolean) | undefined;
  /** How long and by whom lists may be kept; all pages have the same. Default: the era's, which is not at all. */
  readonly cache?: CacheHint | undefined;
  /** How lists are divided: `paged(50)`. Default: into one page. */
  readonly pages?: Pages | undefined;
  /** Hears what was noticed. */
  readonly report?: ((report: CatalogReport) => void) | undefined;
}

/** Something in a catalog. */
interface Entry<T> {
  readonly key: string;
  readonly item: T;
  readonly owner: string | undefined;
  /** As it is listed. */
  readonly definition: JsonObject;
  enabled: boolean;
}

/** Things by their key: whoever has a key keeps it, and lists are in ordinal order of keys. */
export interface Catalog<T> {
  add(key: string, item: T, definition: JsonObject, options?: AddOptions): void;
  remove(key: string): boolean;
  removeOwner(owner: string): readonly string[];
  turn(key: string, enabled: boolean): boolean;
  get(key: string): T | undefined;
  /** What is enabled, in ordinal order: the same array until it changes. */
  readonly all: readonly Entry<T>[];
  /** Those of them that a caller may see. */
  shown(call: Call): readonly Entry<T>[];
  /** What a caller gets under that key. */
  find(key: string, call: Call): T | undefined;
}

/** @param touched hears that what is enabled changed */
export function createCatalog<T>(noun: string, visible: CatalogOptions<T>["visible"], touched: () => void): Catalog<T> {
  const entries = new Map<string, Entry<T>>();
  let sorted: readonly Entry<T>[] | undefined;

  function touch(): void {
    sorted = undefined;
    touched();
  }

  function discard(entry: Entry<T>): void {
    entries.delete(entry.key);
    if (entry.enabled) touch();
  }

  function allInOrder(): readonly Entry<T>[] {
    sorted ??= [...entries.values()]
      .filter(({ enabled }) => enabled)
      .sort((one, other) => (one.key < other.key ? -1 : 1));
    return sorted;
  }

  return {
    add(key, item, definition, { owner, enabled = true } = {}) {
      const holder = entries.get(key);
      if (holder !== undefined) throw taken(noun, key, holder.owner);
      entries.set(key, { key, item, owner, definition: Object.freeze(definition), enabled });
      if (enabled) touch();
    },
    remove(key) {
      const entry = entries.get(key);
      if (entry !== undefined) discard(entry);
      return entry !== undefined;
    },
    removeOwner(owner) {
      const owned = [...entries.values()].filter((entry) => entry.owner === owner);
      for (const entry of owned) discard(entry);
      return owned.map(({ key }) => key);
    },
    turn(key, enabled) {
      const entry = entries.get(key);
      if (entry === undefined || entry.enabled === enabled) return false;
      entry.enabled = enabled;
      touch();
      return true;
    },
    get: (key) => entries.get(key)?.item,
    get all() {
      return allInOrder();
    },
    shown: (call) => (visible === undefined ? allInOrder() : allInOrder().filter(({ item }) => visible(item, call))),
    find(key, call) {
      const entry = entries.get(key);
      return entry?.enabled === true && (visible === undefined || visible(entry.item, call)) ? entry.item : undefined;
    },
  };
}

function taken(noun: string, key: string, holder: string | undefined): LocalError {
  const whose = holder === undefined ? "" : ` by "${holder}"`;
  const message = `the ${noun} "${key}" is there already${whose}; remove it or use another name`;
  return new LocalError("INVALID_ARGUMENT", message, { details: { taken: key } });
}
