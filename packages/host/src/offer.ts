import type { ToolDefinition } from "@parlance/protocol-versions";
import type { ServerSettings } from "./config/entry.js";
import { type Fingerprints, fingerprintKey, fingerprintOf } from "./fingerprint.js";
import { say } from "./line.js";
import type { Tell } from "./report.js";

/** A tool that a server would put into the registry. */
export interface Offer {
  /** Its name there. */
  readonly name: string;
  /** As the server lists it. */
  readonly definition: ToolDefinition;
}

/**
 * A tool of a server that cannot be called, and why.
 * `taken`: another tool has its name · `changed`: it is not what it was, and the server's settings refuse that ·
 * `invalid`: the registry did not take it.
 * @stable
 */
export interface RefusedTool {
  /** The name that it would have. */
  readonly name: string;
  readonly why: "taken" | "changed" | "invalid";
}

/** What a list of tools is looked at for. */
export interface OfferOptions {
  readonly server: string;
  readonly settings: ServerSettings;
  readonly fingerprints: Fingerprints;
  readonly tell: Tell;
}

/** What is left of a server's tools by its settings, under the names that they have here; the rest goes to `refuse`. */
export function offersOf(
  tools: readonly ToolDefinition[],
  options: OfferOptions,
  refuse: (refused: RefusedTool) => void,
): readonly Offer[] {
  const { server, settings, tell } = options;
  const { allow, deny = [] } = settings.tools ?? {};
  const offers: Offer[] = [];
  for (const definition of tools) {
    if ((allow !== undefined && !allow.includes(definition.name)) || deny.includes(definition.name)) continue;
    const name = nameOf(definition.name, settings);
    try {
      if (isUnchanged(definition, options)) offers.push({ name, definition });
      else refuse({ name, why: "changed" });
    } catch (error) {
      // one that is nested without end, for example, must not cost the others
      refuse({ name, why: "invalid" });
      tell({ kind: "tool_refused", server, tool: name, reason: say(error) });
    }
  }
  return offers;
}

function nameOf(name: string, { prefix = "", rename = {} }: ServerSettings): string {
  return (Object.hasOwn(rename, name) ? rename[name] : undefined) ?? prefix + name;
}

/** Alarms when a tool is no longer what it was: what was approved once may do something else by now. */
function isUnchanged(definition: ToolDefinition, { server, settings, fingerprints, tell }: OfferOptions): boolean {
  const key = fingerprintKey(server, definition.name);
  const [before, now] = [fingerprints.get(key), fingerprintOf(definition)];
  if (before === now) return true;
  const refused = before !== undefined && settings.changedTools === "refuse";
  if (before !== undefined) tell({ kind: "tool_changed", server, tool: definition.name, refused, fingerprint: now });
  if (!refused) fingerprints.set(key, now);
  return !refused;
}
