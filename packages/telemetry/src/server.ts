import { context } from "@opentelemetry/api";
import { isPromise } from "@parlance/jsonrpc/respond";
import type { Call, Feature, Outcome } from "@parlance/protocol-versions";
import { begin, contextOf, type Fault, faultOf, type Running, type TraceOptions } from "./operation.js";

/**
 * Middleware of a server: a span of kind SERVER and a measurement of `mcp.server.operation.duration` for each call of each
 * feature, or round of one. It continues the trace that the caller wrote into `_meta`, and what the feature does is
 * within the span. Put it first in `createServer({ middleware })`.
 * @see OpenTelemetry semantic conventions for MCP; MCP 2026-07-28, basic, reserved keys (`traceparent`)
 * @experimental
 */
export function traceFeatures(options: TraceOptions = {}): (next: Feature) => Feature {
  return (next) => (call) => {
    const running = begin(
      {
        side: "server",
        method: call.method,
        params: call.params,
        parent: contextOf(call.meta),
        attributes: { "mcp.protocol.version": call.version },
      },
      options,
    );
    try {
      const outcome = context.with(running.context, next, undefined, call);
      if (!isPromise(outcome)) return ended(running, outcome);
      return outcome.then(
        (settled) => ended(running, settled),
        (error: unknown) => fail(running, error, call),
      );
    } catch (error) {
      return fail(running, error, call);
    }
  };
}

function ended(running: Running, outcome: Outcome): Outcome {
  running.end(outcome.type === "complete" ? outcome.result : undefined, faultIn(outcome));
  return outcome;
}

function fail(running: Running, error: unknown, call: Call): never {
  running.end(undefined, { ...faultOf(error), cancelled: call.signal.aborted });
  throw error;
}

function faultIn(outcome: Outcome): Fault | undefined {
  if (outcome.type === "refused") return { type: outcome.reason };
  return outcome.type === "complete" && outcome.result["isError"] === true ? { type: "tool_error" } : undefined;
}
