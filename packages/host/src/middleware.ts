import { LocalError } from "@parlance/jsonrpc";
import type { Call, CallToolResult, Feature, Outcome, ToolDefinition } from "@parlance/protocol-versions";
import { listTools, type ToolRegistry } from "@parlance/tool-registry";

/**
 * Stands around features: what `createServer` takes as `middleware`.
 * @stable
 */
export type ToolMiddleware = (next: Feature) => Feature;

type Methods = ToolRegistry["methods"];

/**
 * A registry whose tools are listed and called through middleware, for an agent in this process; a server takes middleware
 * itself. The first in the list is outermost.
 * @stable
 */
export function withMiddleware(registry: ToolRegistry, middleware: readonly ToolMiddleware[]): ToolRegistry {
  const wrap = (feature: Feature): Feature => middleware.reduceRight((next, around) => around(next), feature);
  const [list, call] = [wrap(registry.methods["tools/list"]), wrap(registry.methods["tools/call"])];
  return {
    ...registry,
    methods: {
      "tools/list": (asked) => {
        const outcome = list(asked);
        if (isListed(outcome)) return outcome;
        throw unfit("tools/list");
      },
      "tools/call": async (asked) => {
        const outcome = await call(asked);
        if (isCalled(outcome)) return outcome;
        throw unfit("tools/call");
      },
    },
  };
}

function isListed(outcome: Outcome | Promise<Outcome>): outcome is ReturnType<Methods["tools/list"]> {
  return "type" in outcome && isCalled(outcome);
}

function isCalled(outcome: Outcome): outcome is Awaited<ReturnType<Methods["tools/call"]>> {
  return outcome.type === "complete" || outcome.type === "refused";
}

function unfit(method: string): LocalError {
  const right = "a list at once, and complete results or refusals";
  return new LocalError(
    "INVALID_ARGUMENT",
    `middleware answers ${method} in a way that a registry cannot; it gives ${right}`,
  );
}

/** What is listed and called is only what `change` leaves of it. */
export function changeList(
  next: Feature,
  change: (tools: readonly ToolDefinition[]) => readonly ToolDefinition[],
): Feature {
  const changed = new WeakMap<object, Outcome>();
  const apply = (outcome: Outcome): Outcome => {
    if (outcome.type !== "complete") return outcome;
    const { result } = outcome;
    const known = changed.get(result);
    if (known !== undefined) return known;
    const tools = Object.freeze(change((result["tools"] ?? []) as readonly ToolDefinition[]));
    const made = { ...outcome, result: Object.freeze({ ...result, tools }) };
    changed.set(result, made);
    return made;
  };
  return (call: Call) => {
    const outcome = next(call);
    return "then" in outcome ? outcome.then(apply) : apply(outcome);
  };
}

/** The result of a call of a tool, where there is one. */
export function toolResult(outcome: Outcome): CallToolResult | undefined {
  return outcome.type === "complete" && Array.isArray(outcome.result["content"])
    ? (outcome.result as CallToolResult)
    : undefined;
}

/**
 * Some of a registry's tools, to be served by themselves: a list of names, or one text with commas. Names are trimmed, and
 * compared case-sensitively.
 * @throws LocalError `INVALID_ARGUMENT` when there is no name, or one that no tool has
 * @stable
 */
export function selectTools(registry: ToolRegistry, names: string | readonly string[]): ToolRegistry {
  const wanted = (typeof names === "string" ? names.split(",") : names).map((name) => name.trim()).filter(Boolean);
  if (wanted.length === 0) {
    throw new LocalError("INVALID_ARGUMENT", "the selection names no tool; name one or more, or leave it out");
  }
  const known = listTools(registry).map(({ name }) => name);
  const unknown = wanted.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    const message = `there is no tool ${unknown.map((name) => `"${name}"`).join(", ")}; there are ${known.join(", ")}`;
    throw new LocalError("INVALID_ARGUMENT", message, { details: { unknown, known } });
  }
  const selected = new Set(wanted);
  return withMiddleware(registry, [
    (next) => {
      const list = changeList(next, (tools) => tools.filter(({ name }) => selected.has(name)));
      return (call) => {
        if (call.method === "tools/list") return list(call);
        const { name } = call.params;
        if (typeof name === "string" && selected.has(name)) return next(call);
        return { type: "refused", reason: "invalid_params", message: `Unknown tool ${JSON.stringify(name)}` };
      };
    },
  ]);
}
