import { type JsonObject, RpcError, rpcCodes } from "@parlance/jsonrpc";
import { isJsonObject } from "@parlance/protocol-versions";
import type { Client } from "./client.js";
import { type Inner, inner } from "./inner.js";
import { type ListOptions, readPages } from "./pages.js";
import type { ClientReport } from "./report.js";

/** A kind of list, and what is an entry of it. */
export interface List<T extends JsonObject> {
  readonly method: string;
  /** The member of a page that holds its entries. */
  readonly member: string;
  readonly is: (entry: JsonObject) => entry is T;
  /** What tells entries apart. */
  readonly keyOf: (entry: T) => string;
  /** What every entry has, for the report on one that has not. */
  readonly needs: string;
  readonly leftOut: (reason: string, entry: unknown) => ClientReport;
}

/** What of a client it takes to read a list. */
export type Reader = Pick<Client, "request"> & { readonly [inner]: Pick<Inner, "report"> };

/**
 * Reads all of a list. One that is refused part of the way, as it may have changed meanwhile, is read once more.
 * @throws LocalError `BAD_REPLY` for a list that has no end
 * @see MCP 2026-07-28, server/utilities/caching, cache staleness and pagination
 */
export async function readAll<T extends JsonObject>(
  client: Reader,
  list: List<T>,
  given: ListOptions,
): Promise<readonly T[]> {
  const options = { since: performance.now(), ...given };
  const entries = new Map<string, T>();
  try {
    for await (const page of readPages(list.method, list.member, client.request, options)) {
      for (const entry of page) take(client, list, entry, entries);
    }
  } catch (error) {
    if (!isStale(error, options)) throw error;
    return readAll(client, list, { ...options, cache: "refresh" });
  }
  return [...entries.values()];
}

/** Reads a list as it is asked for. When it has to be read once more, what was given is not given again. */
export async function* readEach<T extends JsonObject>(
  client: Reader,
  list: List<T>,
  how: ListOptions,
  given: Map<string, T> = new Map(),
): AsyncGenerator<T, void> {
  const options = { since: performance.now(), ...how };
  const known = new Map<string, T>();
  try {
    for await (const page of readPages(list.method, list.member, client.request, options)) {
      for (const entry of page) {
        if (!take(client, list, entry, known) || given.has(list.keyOf(entry))) continue;
        given.set(list.keyOf(entry), entry);
        yield entry;
      }
    }
  } catch (error) {
    if (!isStale(error, options)) throw error;
    yield* readEach(client, list, { ...options, cache: "refresh" }, given);
  }
}

/** Makes the report of what is left out of a list that has no report of its own. */
export function reporting(method: string): List<JsonObject>["leftOut"] {
  return (reason, entry) => ({ kind: "entry_left_out", method, reason, entry });
}

/** Whether a page came from a cursor that the server no longer takes, and nobody has tried anew. */
function isStale(error: unknown, { cache }: ListOptions): boolean {
  return cache !== "refresh" && error instanceof RpcError && error.code === rpcCodes.invalidParams;
}

/**
 * Adds an entry with all members that it came with. What is no entry is left out, and so is a second one of the same
 * name: one bad entry must not cost the others.
 */
function take<T extends JsonObject>(
  client: Reader,
  { is, keyOf, needs, leftOut }: List<T>,
  entry: unknown,
  entries: Map<string, T>,
): entry is T {
  let reason = `it has no ${needs}`;
  if (isJsonObject(entry) && is(entry)) {
    const key = keyOf(entry);
    if (!entries.has(key)) {
      entries.set(key, entry);
      return true;
    }
    reason = `${key} came before`;
  }
  client[inner].report(leftOut(reason, entry));
  return false;
}
