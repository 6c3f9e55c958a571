import type { Connection, Exchange, JsonObject } from "@parlance/jsonrpc";
import type { Call, FeatureSet, Outcome } from "./feature.js";
import { setLevelMethod } from "./handshake/initialize.js";
import type { ServedSession } from "./handshake/state.js";
import { memo } from "./memo.js";
import { type LogLevel, type LogParams, logLevels } from "./model/log-level.js";
import { wrongParam } from "./read.js";
import { served } from "./served.js";
import { notFound } from "./serving.js";
import { logLevelKey } from "./stateless/envelope.js";

/** Decides which log messages go out: one for each session, or for each request of the stateless era. */
interface LogGate {
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
 * What is sent to a session until the client says which level it wants.
 * @see MCP 2025-11-25, server/utilities/logging
 */
const defaultLogLevel: LogLevel = "info";

/**
 * Lets a server send log messages: with it in `features`, `logging` is announced and `call.log` reaches the callers
 * that want it, as long as there are not too many. Without it `call.log` sends nothing.
 * @see MCP 2025-11-25, server/utilities/logging
 * @stable
 */
export function logging(options: LoggingOptions = {}): FeatureSet {
  const gates = new WeakMap<Connection, LogGate>();

  /** A session has one gate, and each request of the stateless era that wants to hear has its own. */
  function sessionGate({ connection }: ServedSession): LogGate {
    return memo(gates, connection, () => createGate(defaultLogLevel, options));
  }

  function requestGate({ [logLevelKey]: asked }: JsonObject): LogGate | undefined {
    return asked === undefined ? undefined : createGate(readLogLevel(asked), options);
  }

  function setLevel({ method, params, [served]: within }: Call): Outcome {
    if (within?.session === undefined) throw notFound(method);
    sessionGate(within.session).level = readLogLevel(params["level"]);
    return { type: "complete", result: {} };
  }

  return {
    capabilities: { logging: {} },
    methods: {},
    protocol: { [setLevelMethod]: setLevel },
    outside: (next) => (call) => {
      const within = call[served];
      if (within === undefined) return next(call);
      const { exchange, session } = within;
      const gate = session === undefined ? requestGate(call.meta) : sessionGate(session);
      return next(gate === undefined ? call : Object.assign(call, { log: logTo(exchange, gate) }));
    },
  };
}

/** It does not reject when the caller is gone: the call's signal says so. */
function logTo(exchange: Exchange, gate: LogGate): Call["log"] {
  return async (level, data, logger) => {
    const message = gate.pass({ level, logger, data });
    if (message !== undefined) await exchange.notify("notifications/message", message).catch(ignore);
  };
}

/**
 * Reads the name of a log level, compared exactly.
 * @throws RpcError −32602 when there is no such level
 */
function readLogLevel(value: unknown): LogLevel {
  const level = logLevels.find((known) => known === value);
  if (level === undefined) throw wrongParam("the log level", value, `one of ${logLevels.join(", ")}`);
  return level;
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

function ignore(): void {}
