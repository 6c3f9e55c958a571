import type { JsonObject } from "@parlance/jsonrpc";
import type { Call } from "@parlance/protocol-versions";
import type { AnyResourceTemplate } from "./resource.js";

/** What has a URI of its own, and what families list; of two with one URI, the one with its own. */
export async function withListed(
  fixed: readonly JsonObject[],
  families: readonly AnyResourceTemplate[],
  call: Call,
): Promise<readonly JsonObject[]> {
  const lists = await Promise.all(families.map((template) => template.list?.(call) ?? []));
  const byUri = new Map<string, JsonObject>();
  for (const definition of [...lists.flat(), ...fixed]) byUri.set(String(definition["uri"]), definition);
  return [...byUri.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, definition]) => definition);
}
