import { type JsonObject, LocalError } from "@parlance/jsonrpc";
import type { FeatureSet } from "./feature.js";
import { isJsonObject } from "./json-object.js";
import type { ClientCapabilities } from "./model/capability.js";
import type { InputRequests } from "./model/input.js";

/**
 * Everything that feature sets let a server announce, in one object.
 * @param isTold whether the callers can be told of changes: what is promised then is in it too. Default: they cannot
 * @stable
 */
export function mergeCapabilities(
  features: readonly Pick<FeatureSet, "capabilities" | "promises">[],
  isTold = false,
): JsonObject {
  return features.reduce<JsonObject>((merged, { capabilities, promises }) => {
    const more = merge(merged, capabilities);
    return isTold && promises !== undefined ? merge(more, promises) : more;
  }, {});
}

function merge(into: JsonObject, from: JsonObject): JsonObject {
  const merged: Record<string, unknown> = { ...into };
  for (const [name, value] of Object.entries(from)) {
    const present = merged[name];
    merged[name] = isJsonObject(present) && isJsonObject(value) ? merge(present, value) : value;
  }
  return merged;
}

/**
 * The part of what is needed that a client did not declare, in the shape of client capabilities; `undefined` when it
 * declared everything. `elicitation: {}` declares the form mode and no other.
 * @see MCP 2026-07-28, basic, missing required client capability
 * @stable
 */
export function missingCapabilities(
  needed: ClientCapabilities,
  declared: ClientCapabilities,
): ClientCapabilities | undefined {
  return missing(withForm(needed), withForm(declared));
}

function withForm(capabilities: ClientCapabilities): ClientCapabilities {
  const { elicitation } = capabilities;
  const isBare = isJsonObject(elicitation) && elicitation.form === undefined && elicitation.url === undefined;
  return isBare ? { ...capabilities, elicitation: { ...elicitation, form: {} } } : capabilities;
}

function missing(needed: JsonObject, declared: JsonObject): JsonObject | undefined {
  let lacking: Record<string, unknown> | undefined;
  for (const [name, value] of Object.entries(needed)) {
    const present = Object.hasOwn(declared, name) ? declared[name] : undefined;
    if (value === undefined || value === false) {
      continue;
    }
    const inner = isJsonObject(value) && Object.keys(value).length > 0;
    const part = !present ? value : inner ? missing(value, isJsonObject(present) ? present : {}) : undefined;
    if (part !== undefined) {
      lacking ??= {};
      lacking[name] = part;
    }
  }
  return lacking;
}

/**
 * What a client must have declared to be asked these questions, sub-capabilities included.
 * @throws LocalError `INVALID_ARGUMENT` for a question that nobody can be asked
 * @see MCP 2026-07-28, basic/patterns/mrtr
 * @experimental
 */
export function capabilitiesFor(questions: InputRequests): ClientCapabilities {
  let needed: JsonObject = {};
  for (const { method, params } of Object.values(questions)) {
    needed = merge(needed, capabilityFor(method, params ?? {}));
  }
  return needed;
}

function capabilityFor(method: string, params: JsonObject): JsonObject {
  switch (method) {
    case "roots/list":
      return { roots: {} };
    case "elicitation/create":
      return { elicitation: params["mode"] === "url" ? { url: {} } : { form: {} } };
    case "sampling/createMessage":
      return { sampling: samplingFor(params) };
    default:
      throw new LocalError(
        "INVALID_ARGUMENT",
        `input request "${method}" is unknown; elicitation/create, sampling/createMessage and roots/list are known`,
      );
  }
}

function samplingFor(params: JsonObject): JsonObject {
  const context = params["includeContext"];
  return {
    ...(params["tools"] !== undefined || params["toolChoice"] !== undefined ? { tools: {} } : {}),
    ...(context === "thisServer" || context === "allServers" ? { context: {} } : {}),
  };
}
