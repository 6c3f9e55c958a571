import { AccessError, RpcError } from "@parlance/jsonrpc";
import { alone, isPromise } from "@parlance/jsonrpc/respond";
import type { Call, Outcome, ProtocolVersion } from "@parlance/protocol-versions";
import type { FeatureMiddleware } from "../feature-set.js";

/**
 * One call as a log line has it. It never holds arguments, results or texts of errors.
 * @stable
 */
export interface CallRecord {
  readonly method: string;
  /** The tool or prompt by its name, the resource by its URI. */
  readonly target?: string | undefined;
  readonly version: ProtocolVersion;
  /** The principal's id. */
  readonly principal?: string | undefined;
  /** What the caller says it is. */
  readonly client?: string | undefined;
  readonly durationMs: number;
  readonly outcome: "complete" | "tool_error" | "input_required" | "extended" | "refused" | "cancelled" | "failed";
  /** Of a refusal its reason, of an error its code; "internal" for one that the caller does not get to read. */
  readonly reason?: string | number | undefined;
}

/**
 * Who hears of calls.
 * @stable
 */
export interface LogCallsOptions {
  /** Gets one record a call, or a round of one, when it is over. `pino().info` and `console.log` both fit. What it throws is ignored: the call has been made. */
  readonly log: (record: CallRecord) => void;
  /** A clock in milliseconds that only grows. Default `performance.now`. */
  readonly now?: (() => number) | undefined;
}

type End = Pick<CallRecord, "outcome" | "reason">;

/**
 * Structured logging: one record for each call of each feature, whatever it comes to.
 * @stable
 */
export function logCalls(options: LogCallsOptions): FeatureMiddleware {
  const { log, now = () => performance.now() } = options;
  return (next) => (call) => {
    const startedMs = now();
    const record = (end: End): void => alone(() => log({ ...factsOf(call), durationMs: now() - startedMs, ...end }));
    try {
      const outcome = next(call);
      if (!isPromise(outcome)) {
        record(endOf(outcome));
        return outcome;
      }
      return outcome.then(
        (settled) => {
          record(endOf(settled));
          return settled;
        },
        (error: unknown) => {
          record(failureOf(error, call));
          throw error;
        },
      );
    } catch (error) {
      record(failureOf(error, call));
      throw error;
    }
  };
}

function factsOf(call: Call): Pick<CallRecord, "method" | "target" | "version" | "principal" | "client"> {
  const target = call.params["name"] ?? call.params["uri"];
  return {
    method: call.method,
    target: typeof target === "string" ? target : undefined,
    version: call.version,
    principal: call.principal?.id,
    client: call.caller.info?.name,
  };
}

function endOf(outcome: Outcome): End {
  switch (outcome.type) {
    case "complete":
      return { outcome: outcome.result["isError"] === true ? "tool_error" : "complete" };
    case "refused":
      return { outcome: "refused", reason: outcome.reason };
    case "input_required":
    case "extended":
      return { outcome: outcome.type };
    default:
      return outcome satisfies never;
  }
}

function failureOf(error: unknown, call: Call): End {
  if (call.signal.aborted) return { outcome: "cancelled" };
  if (error instanceof RpcError || error instanceof AccessError) return { outcome: "failed", reason: error.code };
  return { outcome: "failed", reason: "internal" };
}
