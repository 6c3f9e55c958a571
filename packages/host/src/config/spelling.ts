type Entry = Readonly<Record<string, unknown>>;

/** What other words for a transport mean. */
const meant: ReadonlyMap<string, string> = /* @__PURE__ */ new Map([
  ["sse", "http"],
  ["streamable-http", "http"],
  ["streamablehttp", "http"],
  ["local", "stdio"],
]);

/**
 * Spells an entry as it is spelled here. `SSE` has meant both ways over HTTP: as our transport it is HTTP, as `type` of other
 * programs the older one is taken too.
 * @param foreign it is written as other programs do
 */
export function spell(entry: Entry, foreign: boolean): Entry {
  const { transport, type, tools } = entry;
  const said = transport ?? (foreign ? type : undefined);
  const chosen = foreign && Array.isArray(tools) ? { ...entry, tools: selectionOf(tools) } : entry;
  if (typeof said !== "string") return chosen;
  const word = said.toLowerCase();
  const older = transport === undefined && word === "sse";
  return { ...chosen, transport: older ? "http+sse" : (meant.get(word) ?? word) };
}

/** A list of names, as some programs write it, where `*` is all of them. */
function selectionOf(names: readonly unknown[]): Entry | undefined {
  return names.includes("*") ? undefined : { allow: names };
}
