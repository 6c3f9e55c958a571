import { type JsonObject, LocalError } from "@parlance/jsonrpc";
import { readTrace, traceKeys } from "./trace.js";

const label = /^[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?$/;
const name = /^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)?$/;
const protocolLabels: ReadonlySet<string | undefined> = new Set(["modelcontextprotocol", "mcp"]);

/**
 * What is wrong with a `_meta` key; `undefined` when it is well formed: an optional prefix of dot-separated labels and
 * a slash, then a name.
 * @see MCP 2025-06-18, basic, _meta
 * @stable
 */
export function metaKeyFault(key: string): string | undefined {
  const slash = key.indexOf("/");
  const labels = slash === -1 ? [] : key.slice(0, slash).split(".");
  const wrong = labels.find((part) => !label.test(part));
  if (wrong !== undefined) {
    return `label "${wrong}" must be letters, digits and inner hyphens, a letter first`;
  }
  const last = key.slice(slash + 1);
  return name.test(last) ? undefined : `name "${last}" must be letters, digits and inner "-", "_" and "."`;
}

/**
 * How a revision tells the prefixes it reserves: by the label before the last (2025-06-18), or by the second
 * (2025-11-25 on).
 * @stable
 */
export type ReservedPrefixes = "none" | "label-before-last" | "second-label";

/**
 * Whether a `_meta` key has a prefix that the protocol reserves.
 * @see MCP 2025-06-18 and 2025-11-25, basic, _meta
 * @stable
 */
export function isReservedMetaKey(key: string, rule: ReservedPrefixes = "second-label"): boolean {
  const slash = key.indexOf("/");
  if (slash === -1 || rule === "none") {
    return false;
  }
  const labels = key.slice(0, slash).split(".");
  return protocolLabels.has(rule === "second-label" ? labels[1] : labels.at(-2));
}

/**
 * Holds `_meta` that we are about to send to the rules: every key well formed, trace context in W3C's formats.
 * What others sent is never held to them.
 * @throws LocalError `INVALID_ARGUMENT` naming the key
 * @stable
 */
export function checkMeta(meta: JsonObject): void {
  for (const key of Object.keys(meta)) {
    const fault = metaKeyFault(key);
    if (fault !== undefined) {
      throw new LocalError("INVALID_ARGUMENT", `_meta key "${key}": ${fault}`);
    }
  }
  const sound = readTrace(meta);
  for (const key of traceKeys) {
    if (meta[key] !== undefined && sound[key] === undefined) {
      throw new LocalError(
        "INVALID_ARGUMENT",
        `_meta key "${key}" must have the W3C format, got ${JSON.stringify(meta[key])}`,
      );
    }
  }
}
