import type { StandardResult } from "@parlance/json-schema";

/** Keys that were settings once, and what to do instead. */
const removed: ReadonlyMap<string, string> = /* @__PURE__ */ new Map([
  [
    "enableserver",
    "is not a setting any more: a host serves when its program says so, with createServer({ features: [registry] }); remove the key",
  ],
]);

/** What is easily spelled otherwise. */
const meant: ReadonlyMap<string, string> = /* @__PURE__ */ new Map([
  ["servers", "servers"],
  ["mcpservers", "mcpServers"],
]);

/** Where values are secrets, and are not repeated. */
const secretive = /\.(?:env|headers|args|url)\b/;

/** What is wrong with the keys of a configuration's root: others may stand there, as it may be part of a larger file. */
export function keyFaults(config: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(config).flatMap((key) => {
    const word = key.toLowerCase();
    const instead = removed.get(word);
    if (instead !== undefined) return [`${key} ${instead}`];
    const right = meant.get(word) ?? key;
    return right === key ? [] : [`${key} is written ${right}`];
  });
}

/** What a schema found, each with the key it is about. */
export function faultsOf(result: StandardResult<unknown>): readonly string[] {
  return (result.issues ?? []).map(({ path = [], message }) => {
    const key = path.map(String).join(".");
    const said = secretive.test(`.${key}`) ? message.replace(/; got [\s\S]*$/, "") : message;
    return `${key === "" ? "the configuration" : key} ${said}`;
  });
}
