import type { ModelPreferences } from "@parlance/protocol-versions";

/**
 * The model that a server's hints ask for: the first hint that is part of a name wins, whatever its case.
 * @param models names, those that are to be preferred first
 * @returns `undefined` when no hint fits: then the priorities, or you, decide
 * @see MCP 2026-07-28, client/sampling, model preferences
 * @stable
 */
export function pickModel(preferences: ModelPreferences | undefined, models: readonly string[]): string | undefined {
  for (const { name } of preferences?.hints ?? []) {
    const hint = name?.toLowerCase();
    const found = hint ? models.find((model) => model.toLowerCase().includes(hint)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
