import { type JsonObject, LocalError } from "@parlance/jsonrpc";
import { isPromise } from "@parlance/jsonrpc/respond";
import type { CallToolResult, Refused, ToolDefinition } from "@parlance/protocol-versions";
import { describeIssues } from "./issues.js";
import { after, type Later } from "./later.js";
import { errorResult, fullResult, isResult, structuredResult, toResult } from "./result.js";
import { noInput, toJsonSchema } from "./schema.js";
import type { AnyTool, ToolCall } from "./tool.js";

/** A tool as it is listed and called. */
export interface Entry {
  readonly tool: AnyTool;
  /** Frozen. */
  readonly definition: ToolDefinition;
  /** Why a call is refused before its arguments are looked at, or nothing. */
  readonly refuse?: ((call: ToolCall, args: JsonObject) => Refused | undefined) | undefined;
  /** Synchronous as long as the schemas and the tool are. Throws what the tool throws. */
  answer(args: JsonObject, call: ToolCall): Later<CallToolResult>;
}

/**
 * Where a tool that is not checked here says how it is listed and called. A registered symbol, so that several installed
 * copies of this package agree.
 */
export const ownEntry: unique symbol = /* @__PURE__ */ Symbol.for("parlance.tool-entry") as never;

/**
 * Takes a tool in. Its schemas are converted at once, so that what cannot be listed is found when it is written.
 * @throws LocalError `INVALID_ARGUMENT`
 */
export function createEntry(tool: AnyTool): Entry {
  return tool[ownEntry]?.(tool) ?? checkedEntry(tool);
}

/** A tool that is run with what its own schema gave. */
export interface Runnable extends AnyTool {
  run(input: unknown, call: ToolCall): unknown;
}

function checkedEntry(tool: Runnable): Entry {
  const { name, title, description, annotations, icons, meta, input = noInput, output } = tool;
  // it would be listed as taking nothing
  if ("inputSchema" in tool || "outputSchema" in tool) {
    throw new LocalError(
      "INVALID_ARGUMENT",
      `tool "${name}" has an inputSchema or outputSchema; here it is input or output`,
    );
  }
  if (typeof tool.run !== "function") {
    throw new LocalError("INVALID_ARGUMENT", `run of tool "${name}" is ${typeof tool.run}, and should be a function`);
  }

  function finish(returned: unknown): Later<CallToolResult> {
    // JSON would show it empty, and its text may be for the server's eyes only
    if (returned instanceof Error) throw returned;
    const result = isResult(returned) ? returned : undefined;
    if (output === undefined || result?.isError === true) {
      return result === undefined ? toResult(returned) : fullResult(result);
    }
    // an object that only has `content` is data: a result would hold the value
    const around = result !== undefined && "structuredContent" in result ? result : undefined;
    const value = around === undefined ? returned : around.structuredContent;
    return after(output["~standard"].validate(value), (checked) => {
      if (checked.issues === undefined) {
        if (around === undefined) return structuredResult(checked.value);
        return fullResult({ ...around, structuredContent: checked.value });
      }
      const wrong = `the result of tool "${name}" does not fit its output schema:\n${describeIssues(checked.issues, value)}`;
      throw new LocalError("INVALID_ARGUMENT", wrong, { cause: checked.issues });
    });
  }

  return {
    tool,
    definition: Object.freeze({
      name,
      title,
      description,
      inputSchema: toJsonSchema(name, "input", input),
      outputSchema: output && toJsonSchema(name, "output", output),
      annotations,
      icons,
      _meta: meta,
    }),
    refuse: tool.needs,
    answer: (args, call) => {
      const validated = input["~standard"].validate(args);
      return after(validated, (checked) => {
        // the caller had time to give up
        if (isPromise(validated)) call.signal.throwIfAborted();
        if (checked.issues === undefined) return after(tool.run(checked.value, call), finish);
        const wrong = describeIssues(checked.issues, args);
        return errorResult(`The arguments of tool "${name}" do not fit its input schema:\n${wrong}`);
      });
    },
  };
}
