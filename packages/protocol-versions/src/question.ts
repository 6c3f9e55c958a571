import { LocalError } from "@parlance/jsonrpc";
import { capabilitiesFor, missingCapabilities } from "./capability.js";
import type { Call, InputRequired, Refused } from "./feature.js";
import { askingMethods } from "./model/input.js";

/**
 * Refuses questions that the caller did not declare it can answer; `undefined` lets them pass.
 * @throws LocalError `INVALID_ARGUMENT` for what no caller could answer: the feature's own mistake
 * @see MCP 2026-07-28, basic/patterns/mrtr
 */
export function refuseQuestions(
  { method, caller }: Call,
  { inputRequests, requestState }: InputRequired,
): Refused | undefined {
  if (!askingMethods.includes(method)) {
    throw invalid(`"${method}" may not answer input_required; only ${askingMethods.join(", ")} may`);
  }
  if (inputRequests === undefined) {
    if (requestState === undefined) {
      throw invalid("an input_required answer needs inputRequests, requestState or both");
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

function invalid(message: string): LocalError {
  return new LocalError("INVALID_ARGUMENT", message);
}
