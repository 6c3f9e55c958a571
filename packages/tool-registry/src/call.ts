import type { JsonObject } from "@parlance/jsonrpc";
import { hasBrand, travels } from "@parlance/jsonrpc/brand";
import { isPromise } from "@parlance/jsonrpc/respond";
import { type CallToolResult, isJsonObject, missingCapabilities, type Refused } from "@parlance/protocol-versions";
import type { Entry } from "./entry.js";
import { RegistryError } from "./error.js";
import { describeIssues, listNames, listPaths } from "./issues.js";
import { errorResult, fullResult, isResult, plainResult, structuredResult } from "./result.js";
import type { Validated } from "./schema.js";
import type { ToolCall, ToolResult } from "./tool.js";

/** What a tool call comes to. */
export type ToolOutcome = { readonly type: "complete"; readonly result: CallToolResult } | Refused;

/**
 * Hears an error that a tool threw and its caller was not shown.
 * @stable
 */
export type OnToolError = (error: unknown, context: ToolErrorContext) => void;

/**
 * Where a hidden error arose.
 * @stable
 */
export interface ToolErrorContext {
  /** The name of the tool. */
  readonly tool: string;
  /** Also in the text that the caller was given. */
  readonly correlationId: string;
}

type Later<T> = T | Promise<T>;
const noArguments: JsonObject = /* @__PURE__ */ Object.freeze({});

/**
 * Validates, runs, and makes a result. Synchronous as long as the schemas and the tool are.
 * @throws RpcError, AccessError what the tool threw, unchanged
 */
export function invoke(entry: Entry, args: JsonObject, call: ToolCall, onError: OnToolError): Later<ToolOutcome> {
  const needs = entry.tool.needs && missingCapabilities(entry.tool.needs, call.caller.capabilities);
  if (needs !== undefined) return lacking(entry, needs);
  const fault = call.header && entry.headers?.(args, call.header);
  if (fault !== undefined) return { type: "refused", reason: "header_mismatch", message: fault };
  try {
    const result = entry.remote === undefined ? check(entry, args, call) : relay(entry, args, call);
    if (!isPromise(result)) return complete(result);
    return result.then(complete).catch((error: unknown) => fail(entry, error, call, onError));
  } catch (error) {
    return fail(entry, error, call, onError);
  }
}

function relay(entry: Entry, args: JsonObject, call: ToolCall): Later<CallToolResult> {
  return after(entry.runnable.run(args, call), (returned) => ({
    content: [],
    ...(isJsonObject(returned) ? returned : undefined),
  }));
}

function check(entry: Entry, args: JsonObject, call: ToolCall): Later<CallToolResult> {
  if (entry.input === undefined) return runWithout(entry, args, call);
  const checking = entry.input.validate(args);
  return after(checking, (checked) => {
    // Only where it took a while: most calls never look at their signal, and making one costs.
    if (checked !== checking) call.signal.throwIfAborted();
    if (checked.issues === undefined) return run(entry, checked.value, call);
    const wrong = describeIssues(checked.issues, args);
    return errorResult(`The arguments of tool "${entry.tool.name}" do not fit its input schema:\n${wrong}`);
  });
}

function runWithout(entry: Entry, args: JsonObject, call: ToolCall): Later<CallToolResult> {
  const unknown = Object.keys(args);
  if (unknown.length === 0) return run(entry, noArguments, call);
  return errorResult(`Tool "${entry.tool.name}" takes no arguments, remove ${listNames(unknown)}`);
}

function run(entry: Entry, input: unknown, call: ToolCall): Later<CallToolResult> {
  return after(entry.runnable.run(input, call), (returned) => finish(entry, returned));
}

function finish(entry: Entry, returned: unknown): Later<CallToolResult> {
  // JSON would show it empty, and its text may be for the server's eyes only
  if (returned instanceof Error) throw returned;
  const { name } = entry.tool;
  if (entry.output === undefined) return plainResult(name, returned);
  const around = isResult(returned) && holdsValue(returned) ? returned : undefined;
  if (around?.isError === true) return fullResult(name, around);
  const checked = entry.output.validate(around === undefined ? returned : around.structuredContent);
  return after(checked, (now) => structured(entry, now, around));
}

/** With an output schema, an object that only has `content` is data: a result would hold the value, or say that it failed. */
function holdsValue(result: ToolResult): boolean {
  return "structuredContent" in result || result.isError === true;
}

function structured(entry: Entry, checked: Validated<unknown>, around: ToolResult | undefined): CallToolResult {
  const { name } = entry.tool;
  if (checked.issues === undefined) return structuredResult(name, checked.value, around);
  const paths = listPaths(checked.issues);
  throw new RegistryError("INVALID_RESULT", `The result of tool "${name}" does not fit its output schema at ${paths}`, {
    tool: name,
    cause: checked.issues,
  });
}

function fail(entry: Entry, error: unknown, call: ToolCall, onError: OnToolError): ToolOutcome {
  if (travels(error) || call.signal.aborted) throw error;
  if (hasBrand(error, "PublicError")) return complete(errorResult(error.message));
  const tool = entry.tool.name;
  const correlationId = crypto.randomUUID();
  onError(error, { tool, correlationId });
  const ours = error instanceof RegistryError && error.code === "INVALID_RESULT" && error.tool === tool;
  const what = ours ? error.message : `Tool "${tool}" failed`;
  return complete(errorResult(`${what} (reference ${correlationId})`));
}

function lacking(entry: Entry, requiredCapabilities: JsonObject): ToolOutcome {
  const names = Object.keys(requiredCapabilities).join(", ");
  return {
    type: "refused",
    reason: "needs_capability",
    message: `Tool "${entry.tool.name}" needs a client that declares ${names}`,
    data: { requiredCapabilities },
  };
}

function complete(result: CallToolResult): ToolOutcome {
  return { type: "complete", result };
}

/** Goes on at once with a value, and later with a promised one. */
function after<T, R>(value: Later<T>, next: (value: T) => Later<R>): Later<R> {
  return isPromise(value) ? Promise.resolve(value).then(next) : next(value);
}
