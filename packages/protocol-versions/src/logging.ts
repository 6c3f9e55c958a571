import type { FeatureSet } from "./feature.js";
import { type LogLevel, type LogParams, logLevels } from "./model/log-level.js";

/**
 * Decides which log messages go out: one for each session, or for each request of the stateless era.
 * @experimental
 */
export interface LogGate {
  /** The least severe level that goes out. */
  level: LogLevel;
  /** A message as it goes out, if it does; one that does counts. */
  pass(message: LogParams): LogParams | undefined;
}

/**
 * How much a server may log.
 * @stable
 */
export interface LoggingOptions {
  /** How many messages a second go out, to each session or for each stateless request; more are dropped. Default `defaultLogRate`. */
  readonly maxPerSecond?: number | undefined;
  /**
   * Takes out of each message what its reader must not have: credentials, personal data, what helps an attacker. What it
   * gives is sent; when it gives nothing, or throws, nothing is. Default: messages go out as they are.
   */
  readonly redact?: ((message: LogParams) => LogParams | undefined) | undefined;
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
export function logging(options: LoggingOptions = {}): FeatureSet {
  return { capabilities: { logging: {} }, methods: {}, logs: (level) => createGate(level, options) };
}

function createGate(level: LogLevel, { maxPerSecond = defaultLogRate, redact = same }: LoggingOptions): LogGate {
  let second = 0;
  let sent = 0;
  return {
    level,
    pass(message) {
      if (logLevels.indexOf(message.level) < logLevels.indexOf(this.level)) return undefined;
      const now = Math.floor(Date.now() / 1_000);
      if (now !== second) {
        second = now;
        sent = 0;
      }
      sent += 1;
      if (sent > maxPerSecond) return undefined;
      try {
        return redact(message);
      } catch {
        // what may hold a secret is held back
        return undefined;
      }
    },
  };
}

function same(message: LogParams): LogParams {
  return message;
}
