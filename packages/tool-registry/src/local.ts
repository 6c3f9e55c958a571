import { type JsonObject, LocalError, RpcError, rpcCodes } from "@parlance/jsonrpc";
import { isPromise } from "@parlance/jsonrpc/respond";
import {
  type Call,
  type CallToolResult,
  cannotAsk,
  statelessVersions,
  type ToolDefinition,
} from "@parlance/protocol-versions";
import type { ToolRegistry } from "./registry.js";

const [newest] = statelessVersions;

/**
 * What is known of a call that comes from no server: its signal, principal, what the caller can do, where progress and log go.
 * @stable
 */
export type LocalCall = { readonly [Key in Exclude<keyof Call, "method" | "params">]?: Call[Key] | undefined };

/**
 * What a caller sees of a registry, all pages, without a server: in ordinal order, frozen; the same array until it
 * changes, if it is one page.
 * @stable
 */
export function listTools(registry: ToolRegistry, call?: LocalCall): readonly ToolDefinition[] {
  const pages: (readonly ToolDefinition[])[] = [];
  let cursor: string | undefined;
  do {
    const outcome = registry.methods["tools/list"](createLocalCall("tools/list", { cursor }, call));
    if (outcome.type !== "complete") break;
    pages.push(outcome.result.tools);
    cursor = outcome.result.nextCursor;
  } while (cursor !== undefined);
  const [first = []] = pages;
  return pages.length > 1 ? Object.freeze(pages.flat()) : first;
}

/**
 * Calls a tool that this caller sees, without a server. What goes wrong inside the tool is a result with `isError`.
 * @throws RpcError −32602 when the tool is unknown; and what the tool threw as such
 * @throws LocalError `UNSUPPORTED` when the tool needs what the caller cannot do
 * @throws the signal's reason when it aborts
 * @stable
 */
export async function callTool(
  registry: ToolRegistry,
  name: string,
  args: JsonObject = {},
  given?: LocalCall,
): Promise<CallToolResult> {
  const call = createLocalCall("tools/call", { name, arguments: args }, given);
  call.signal.throwIfAborted();
  const outcome = await unlessAborted(registry.methods["tools/call"](call), call.signal);
  if (outcome.type === "complete") return outcome.result;
  if (outcome.reason !== "needs_capability") throw new RpcError(rpcCodes.invalidParams, outcome.message);
  throw new LocalError("UNSUPPORTED", outcome.message, { details: { missing: outcome.data } });
}

/** Makes a call of what is known of it; nobody hears what nobody asked for. */
export function createLocalCall(method: string, params: JsonObject, given: LocalCall | undefined): Call {
  const call: Call = {
    method,
    params,
    meta: {},
    version: newest,
    // One each: listeners on a signal that all calls share would pile up.
    signal: given?.signal ?? new AbortController().signal,
    caller: { capabilities: {} },
    progress: unheard,
    log: unheard,
    elicit: cannotAsk,
    sample: cannotAsk,
    roots: cannotAsk,
    once: cannotAsk,
  };
  // By descriptor: the members of a call that is passed on may be getters, and stay lazy.
  for (const [key, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(given ?? {}))) {
    const says = descriptor.get !== undefined || descriptor.value !== undefined;
    if (says && key !== "method" && key !== "params") Object.defineProperty(call, key, descriptor);
  }
  return call;
}

async function unheard(): Promise<void> {}

async function unlessAborted<T>(value: T | Promise<T>, signal: AbortSignal): Promise<T> {
  if (!isPromise(value)) return value;
  let abort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort);
  });
  try {
    return await Promise.race([value, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
