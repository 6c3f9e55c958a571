import type { JsonObject } from "@parlance/jsonrpc";
import type { ClientCapabilities } from "@parlance/protocol-versions";
import { isObject } from "./json.js";

/**
 * What is needed and not declared, in the shape of capabilities; nothing when all is there.
 * @see MCP 2026-07-28, client/elicitation: an empty `elicitation` means form
 */
export function missingCapabilities(needs: ClientCapabilities, declared: ClientCapabilities): JsonObject | undefined {
  return missing(withForm(needs), withForm(declared));
}

function withForm(capabilities: ClientCapabilities): JsonObject {
  const { elicitation } = capabilities;
  if (elicitation === undefined || Object.keys(elicitation).length > 0) return capabilities;
  return { ...capabilities, elicitation: { form: {} } };
}

function missing(needs: JsonObject, declared: JsonObject): JsonObject | undefined {
  let lacking: Record<string, unknown> | undefined;
  for (const [key, need] of Object.entries(needs)) {
    if (need === undefined || need === false) continue;
    const has = declared[key];
    const lack =
      isObject(need) && isObject(has) ? missing(need, has) : has === undefined || has === false ? need : undefined;
    if (lack !== undefined) lacking = { ...lacking, [key]: lack };
  }
  return lacking;
}
