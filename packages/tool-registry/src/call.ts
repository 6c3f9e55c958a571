import { hasBrand, travels } from "@parlance/jsonrpc/brand";
import { excerpt } from "@parlance/jsonrpc/codec";
import { isPromise } from "@parlance/jsonrpc/respond";
import { type Call, type CallToolResult, isJsonObject, type OnError, type Refused } from "@parlance/protocol-versions";
import type { Entry } from "./entry.js";
import type { Later } from "./later.js";
import { errorResult } from "./result.js";

/** What a tool call comes to. */
export type ToolOutcome = { readonly type: "complete"; readonly result: CallToolResult } | Refused;

/** Answers `tools/call`. */
export interface ToolCalls {
  readonly answer: (call: Call) => Later<ToolOutcome>;
  /** Hears what tools threw and callers were not shown. @returns what ends it */
  failed(listener: OnError): () => void;
}

/**
 * Validates, runs, and makes a result of what `find` finds. Synchronous as long as that is. Throws an RpcError or AccessError
 * that a tool threw, unchanged.
 */
export function createToolCalls(find: (name: unknown, call: Call) => Entry | undefined): ToolCalls {
  const listeners = new Set<OnError>();

  function fail(error: unknown, { method, params, signal }: Call): ToolOutcome {
    if (travels(error) || signal.aborted) throw error;
    if (hasBrand(error, "PublicError")) return complete(errorResult(error.message));
    const tool = String(params["name"]);
    const correlationId = crypto.randomUUID();
    for (const hear of listeners) hear(error, { method, tool, correlationId });
    return complete(errorResult(`Tool "${tool}" failed (reference ${correlationId})`));
  }

  return {
    answer(call) {
      const { name, arguments: args = {} } = call.params;
      const entry = find(name, call);
      if (entry === undefined) return refuse(`Unknown tool ${excerpt(name)}`);
      if (!isJsonObject(args)) return refuse(`"arguments" must be an object, not ${excerpt(args)}`);
      const refused = entry.refuse?.(call, args);
      if (refused !== undefined) return refused;
      try {
        const result = entry.answer(args, call);
        return isPromise(result) ? result.then(complete, (error: unknown) => fail(error, call)) : complete(result);
      } catch (error) {
        return fail(error, call);
      }
    },
    failed(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** A request with wrong parameters. */
export function refuse(message: string): Refused {
  return { type: "refused", reason: "invalid_params", message };
}

function complete(result: CallToolResult): ToolOutcome {
  return { type: "complete", result };
}
