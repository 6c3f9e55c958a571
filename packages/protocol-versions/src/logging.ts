import type { Call, FeatureSet } from "./feature.js";
import { setLevelMethod } from "./handshake/initialize.js";
import { sessionLevel, setLevel } from "./handshake/log.js";
import { memo } from "./memo.js";
import { type LogLevel, type LogParams, logLevels } from "./model/log-level.js";
import { type Served, served } from "./served.js";
import { requestLevel } from "./stateless/log.js";

/** The least severe level that a call's messages go out from, by each era; `undefined`: it is not this era's, or none do. */
const levels: readonly ((within: Served) => LogLevel | undefined)[] = [requestLevel, sessionLevel];

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
export function logging({ maxPerSecond = defaultLogRate, redact = same }: LoggingOptions = {}): FeatureSet {
  const rates = new WeakMap<object, () => boolean>();

  function logTo(within: Served): Call["log"] {
    const { exchange, session } = within;
    const isWithinRate = memo(rates, session?.connection ?? exchange, () => createRate(maxPerSecond));
    return async (level, data, logger) => {
      if (logLevels.indexOf(level) < logLevels.indexOf(levelOf(within) ?? level) || !isWithinRate()) return;
      const message = cleaned(redact, { level, logger, data });
      // it does not reject when the caller is gone: the call's signal says so
      if (message !== undefined) await exchange.notify("notifications/message", message).catch(ignore);
    };
  }

  return {
    capabilities: { logging: {} },
    methods: {},
    protocol: { [setLevelMethod]: setLevel },
    outside: (next) => (call) => {
      const within = call[served];
      const isWanted = within !== undefined && levelOf(within) !== undefined;
      return next(isWanted ? Object.assign(call, { log: logTo(within) }) : call);
    },
  };
}

function levelOf(within: Served): LogLevel | undefined {
  return levels.map((read) => read(within)).find((level) => level !== undefined);
}

/** Whether there is room for one more in this second. */
function createRate(maxPerSecond: number): () => boolean {
  let second = 0;
  let sent = 0;
  return () => {
    const now = Math.floor(Date.now() / 1_000);
    if (now !== second) {
      second = now;
      sent = 0;
    }
    sent += 1;
    return sent <= maxPerSecond;
  };
}

function cleaned(redact: NonNullable<LoggingOptions["redact"]>, message: LogParams): LogParams | undefined {
  try {
    return redact(message);
  } catch {
    // what may hold a secret is held back
    return undefined;
  }
}

function same(message: LogParams): LogParams {
  return message;
}

function ignore(): void {}
