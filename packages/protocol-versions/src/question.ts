import { capabilitiesFor, missingCapabilities } from "./capability.js";
import type { Call, InputRequired, Refused } from "./feature.js";

const askingMethods: ReadonlySet<string> = new Set(["tools/call", "prompts/get", "resources/read"]);

/**
 * Refuses questions that the caller did not declare it can answer; `undefined` lets them pass.
 * @throws TypeError for what no caller could answer: the feature's own mistake
 * @see MCP 2026-07-28, basic/patterns/mrtr
 */
export function refuseQuestions(
  { method, caller }: Call,
  { inputRequests, requestState }: InputRequired,
): Refused | undefined {
  if (!askingMethods.has(method)) {
    throw new TypeError(`"${method}" may not answer input_required; only ${[...askingMethods].join(", ")} may`);
  }
  if (inputRequests === undefined) {
    if (requestState === undefined) {
      throw new TypeError("an input_required answer needs inputRequests, requestState or both");
    }
    return undefined;
  }
  const lacking = missingCapabilities(capabilitiesFor(inputRequests), caller.capabilities);
  return lacking === undefined
    ? undefined
    : {
        type: "refused",
        reason: "needs_capability",
        message: `"${method}" needs to ask the caller, which did not declare ${Object.keys(lacking).join(", ")}`,
        data: { requiredCapabilities: lacking },
      };
}
