import { type ClientCapabilities, missingCapabilities, type Refused } from "@parlance/protocol-versions";
import type { ToolCall } from "./tool.js";

/**
 * Says why a call is refused, or nothing.
 * @stable
 */
export type Needs = (call: ToolCall) => Refused | undefined;

/**
 * What a tool needs of its client, for `needs`: `clientWith({ elicitation: {} })`.
 * @see MCP 2026-07-28, basic, missing client capabilities
 * @stable
 */
export function clientWith(capabilities: ClientCapabilities): Needs {
  return ({ caller }) => {
    const requiredCapabilities = missingCapabilities(capabilities, caller.capabilities);
    if (requiredCapabilities === undefined) return undefined;
    const message = `this tool needs a client that declares ${Object.keys(requiredCapabilities).join(", ")}`;
    return { type: "refused", reason: "needs_capability", message, data: { requiredCapabilities } };
  };
}
