import { isJsonObject } from "../json-object.js";
import type { ServedSession } from "../served.js";
import { ageOf } from "./revision.js";

/**
 * Leaves of what a client declares the capabilities that its revision has; those that no revision knows are kept.
 * @see MCP 2025-11-25, basic/lifecycle, capability negotiation
 */
export function narrow(session: ServedSession): void {
  const age = ageOf(session.version);
  if (age === 0) return;
  const { elicitation, sampling, ...others } = session.caller.capabilities;
  const capabilities = {
    ...others,
    ...(age === 1 && isJsonObject(elicitation) && { elicitation: { form: {} } }),
    ...(isJsonObject(sampling) && { sampling: { context: {} } }),
  };
  session.caller = { ...session.caller, capabilities };
}
