import { type JsonObject, LocalError } from "@parlance/jsonrpc";
import { excerpt } from "@parlance/jsonrpc/codec";
import { readTrace } from "./trace.js";

const wellFormed =
  /^(?:[a-z](?:[a-z\d-]*[a-z\d])?(?:\.[a-z](?:[a-z\d-]*[a-z\d])?)*\/)?(?:[a-z\d](?:[\w.-]*[a-z\d])?)?$/i;

/**
 * What is wrong with a `_meta` key; `undefined` when it is well formed: an optional prefix of dot-separated labels and
 * a slash, then a name.
 * @see MCP 2025-06-18, basic, _meta
 * @stable
 */
export function metaKeyFault(key: string): string | undefined {
  if (wellFormed.test(key)) return undefined;
  return 'it must be letters, digits and inner "-", "_" and ".", after a slash if it has a prefix, such as com.example/';
}

/**
 * How a revision tells the prefixes it reserves: by the label before the last (2025-06-18), or by the second
 * (2025-11-25 on).
 * @stable
 */
export type ReservedPrefixes = "none" | "label-before-last" | "second-label";

const protocolLabels: ReadonlySet<string | undefined> = /* @__PURE__ */ new Set(["modelcontextprotocol", "mcp"]);

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

declare const held: unique symbol;

/**
 * `_meta` that was held to the rules: `meta` gives it.
 * @stable
 */
export type Meta = JsonObject & { readonly [held]: true };

/**
 * The `_meta` of a request of yours: `callTool(name, args, { meta: meta({ "com.example/x": 1 }) })`. The protocol's own
 * keys are replaced when it is sent.
 * @throws LocalError `INVALID_ARGUMENT` naming a key that is malformed, or whose value is no trace context
 * @see MCP 2026-07-28, basic, _meta
 * @stable
 */
export function meta(values: JsonObject): Meta {
  checkMeta(values);
  return values;
}

/**
 * Holds `_meta` that we are about to send to the rules: every key well formed, trace context in W3C's formats.
 * What others sent is never held to them.
 * @throws LocalError `INVALID_ARGUMENT` naming the key
 * @stable
 */
export function checkMeta(meta: JsonObject): asserts meta is Meta {
  const sound: JsonObject = { ...meta, ...readTrace(meta) };
  for (const [key, value] of Object.entries(meta)) {
    const isForeign = value !== undefined && sound[key] === undefined;
    const fault = isForeign ? `its value must have the W3C format, not be ${excerpt(value)}` : metaKeyFault(key);
    if (fault !== undefined) throw new LocalError("INVALID_ARGUMENT", `_meta key "${key}": ${fault}`);
  }
}
