import type { FeatureSet } from "./feature.js";

/**
 * Lets a server send log messages: with it in `features`, `logging` is announced and `call.log` reaches the callers
 * that want it. Without it `call.log` sends nothing.
 * @see MCP 2025-11-25, server/utilities/logging
 * @stable
 */
export function logging(): FeatureSet {
  return { capabilities: { logging: {} }, methods: {} };
}
