import { type JsonObject, LocalError } from "@parlance/jsonrpc";
import { excerpt } from "@parlance/jsonrpc/codec";
import type { Call, Feature, FeatureSet, Outcome, Refused } from "./feature.js";
import { isJsonObject } from "./json-object.js";
import { metaKeyFault } from "./meta-key.js";
import type { ClientCapabilities } from "./model/capability.js";

type Later<T> = T | Promise<T>;

/**
 * Which of the values under a key of a listen filter a caller may hear of; refused when it may not ask.
 * @experimental
 */
export type ListenKey = (asked: readonly string[], call: Call) => Later<readonly string[] | Refused>;

/**
 * What an extension adds to the protocol besides methods.
 * @experimental
 */
export interface ExtensionFacts {
  readonly id: string;
  /** Keys that a listen filter may have, each with a list of texts. Changes of type `extension` answer to them by their `key`. */
  readonly listens: Readonly<Record<string, ListenKey>>;
}

/**
 * What a server's side of an extension is made of.
 * @experimental
 */
export interface ExtensionOptions {
  /** A prefix and a name, as of a `_meta` key: `com.example/thing`. */
  readonly id: string;
  /** What is announced with it. Default `{}`, which says that it is there. */
  readonly settings?: JsonObject | undefined;
  /** Its methods. Callers that did not declare the extension are refused. */
  readonly methods?: Readonly<Record<string, Feature>> | undefined;
  /** The parameter that HTTP repeats as `Mcp-Name`, by method. */
  readonly named?: Readonly<Record<string, string>> | undefined;
  /** Keys of a listen filter. Callers that did not declare the extension are refused. */
  readonly listens?: Readonly<Record<string, ListenKey>> | undefined;
}

/**
 * Makes a feature set of an extension: announced under its id, and closed to callers that did not declare it on the
 * request they make. It is off unless it is among a server's features.
 * @throws LocalError `INVALID_ARGUMENT` for an id that is none
 * @see MCP 2026-07-28, basic/versioning, extension negotiation
 * @experimental
 */
export function extension({ id, settings = {}, methods = {}, named = {}, listens = {} }: ExtensionOptions): FeatureSet {
  checkExtensionId(id);
  return {
    capabilities: { extensions: { [id]: settings } },
    methods: mapped(
      methods,
      (feature, method) => (call) => misnamed(call, named[method]) ?? unlessDeclared(id, call) ?? feature(call),
    ),
    extension: {
      id,
      listens: mapped(listens, (listen) => (asked, call) => unlessDeclared(id, call) ?? listen(asked, call)),
    },
  };
}

/**
 * The settings under which a caller declared an extension on this request; `undefined` when it did not.
 * @experimental
 */
export function declaredExtension({ extensions }: ClientCapabilities, id: string): JsonObject | undefined {
  const settings = isJsonObject(extensions) && Object.hasOwn(extensions, id) ? extensions[id] : undefined;
  return isJsonObject(settings) ? settings : undefined;
}

/**
 * Holds the id of an extension to the rules of `_meta` keys; the prefix is not optional.
 * @throws LocalError `INVALID_ARGUMENT`
 * @experimental
 */
export function checkExtensionId(id: string): void {
  const fault = id.includes("/") ? metaKeyFault(id) : "it needs a prefix, as in com.example/thing";
  if (fault !== undefined) throw new LocalError("INVALID_ARGUMENT", `extension id "${id}": ${fault}`);
}

function unlessDeclared(id: string, { method, caller }: Call): Refused | undefined {
  if (declaredExtension(caller.capabilities, id) !== undefined) return undefined;
  return {
    type: "refused",
    reason: "needs_capability",
    message: `"${method}" needs a client that declares the extension ${id} on the request`,
    data: { requiredCapabilities: { extensions: { [id]: {} } } },
  };
}

/** Only HTTP has headers to compare. */
function misnamed({ header, params }: Call, source: string | undefined): Outcome | undefined {
  if (header === undefined || source === undefined) return undefined;
  const [got, said] = [header("Mcp-Name"), params[source]];
  if (got === said) return undefined;
  const message = `Mcp-Name is ${excerpt(got)}, the body says ${excerpt(said)}`;
  return { type: "refused", reason: "header_mismatch", message };
}

function mapped<T>(
  from: Readonly<Record<string, T>>,
  change: (value: T, key: string) => T,
): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(from).map(([key, value]) => [key, change(value, key)]));
}
