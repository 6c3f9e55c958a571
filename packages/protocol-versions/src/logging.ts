import type { FeatureSet } from "./feature.js";
import { type LogLevel, logLevels } from "./model/log-level.js";

/**
 * Decides which log messages go out: one for each session, or for each request of the stateless era.
 * @experimental
 */
export interface LogGate {
  /** The least severe level that goes out. */
  level: LogLevel;
  /** Whether a message goes out; one that does counts. */
  admits(level: LogLevel): boolean;
}

/**
 * How much a server may log.
 * @stable
 */
export interface LoggingOptions {
  /** How many messages a second go out, to each session or for each stateless request; more are dropped. Default `defaultLogRate`. */
  readonly maxPerSecond?: number | undefined;
}

/**
 * How many log messages a second go out, to each session or for each stateless request.
 * @stable
 */
export const defaultLogRate = 100;

/**
 * Lets a server send log messages: with it in `features`, `logging` is announced and `call.log` reaches the callers
 * that want it, as long as there are not too many. Without it `call.log` sends nothing.
 * @see MCP 2025-11-25, server/utilities/logging
 * @stable
 */
export function logging({ maxPerSecond = defaultLogRate }: LoggingOptions = {}): FeatureSet {
  return { capabilities: { logging: {} }, methods: {}, logs: (level) => createGate(level, maxPerSecond) };
}

function createGate(level: LogLevel, maxPerSecond: number): LogGate {
  let second = 0;
  let sent = 0;
  return {
    level,
    admits(asked) {
      if (logLevels.indexOf(asked) < logLevels.indexOf(this.level)) return false;
      const now = Math.floor(Date.now() / 1_000);
      if (now !== second) {
        second = now;
        sent = 0;
      }
      sent += 1;
      return sent <= maxPerSecond;
    },
  };
}
