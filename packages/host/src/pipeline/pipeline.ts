import { alone } from "@parlance/jsonrpc/respond";
import { type Call, type CallToolResult, type Feature, isJsonObject, type Outcome } from "@parlance/protocol-versions";
import { changeList, type ToolMiddleware, toolResult } from "../middleware.js";
import { textIn, unsaid } from "../result-text.js";
import type { Guard, GuardedCall } from "./guard.js";
import { tagAsData } from "./tag.js";
import { type TruncateOptions, truncate } from "./truncate.js";

/**
 * What became of a call. It never holds arguments, nor what the tool answered.
 * @stable
 */
export interface AuditRecord {
  readonly caller: string;
  readonly tool: string;
  /** `blocked`: by the guard · `failed`: the tool said so · `refused`: it cannot be called like that · `threw`: a protocol error. */
  readonly outcome: "ok" | "failed" | "blocked" | "refused" | "threw";
  /** How long it took, in milliseconds. */
  readonly ms: number;
  /** How much text the caller was given, and how much was cut away, in UTF-16 units. */
  readonly chars: number;
  readonly omittedChars: number;
}

/**
 * The stages that calls of tools go through, in the order in which they stand here.
 * @stable
 */
export interface ToolPipelineOptions {
  /** Who calls, where no transport has authenticated somebody. What a caller says of itself is not asked. Default `mcp`. */
  readonly caller?: string | undefined;
  /** May block a call before it runs. Default: none does. */
  readonly guard?: Guard | undefined;
  /** How long the text of a result may be; `false`: as long as it is. */
  readonly truncate?: TruncateOptions | false | undefined;
  /** Marks the text of results as data, and not instructions. Default `false`. */
  readonly tag?: boolean | undefined;
  /** Hears what became of each call. What it throws changes nothing. */
  readonly audit?: ((record: AuditRecord) => void | Promise<void>) | undefined;
  /** Hears what a guard or an audit threw. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * Puts one pipeline around all tools: guard, call, cut with a mark, mark as data, audit. The texts of a result become one
 * block; where they are cut or marked, structured content is left out, and output schemas with it, since it would say the
 * same again whole. For `middleware` of a server, or `withMiddleware` for an agent in this process.
 * @stable
 */
export function toolPipeline(options: ToolPipelineOptions = {}): ToolMiddleware {
  const { truncate: limits = {}, tag = false } = options;
  const shapes = limits !== false || tag;
  const failed = (error: unknown): void => alone(() => options.onError?.(error));

  function shape(result: CallToolResult, tool: string): { readonly result: CallToolResult; readonly omitted: number } {
    if (!shapes) return { result, omitted: 0 };
    const said = result.content.flatMap((block) => textIn(block) ?? []).join("\n");
    const full = said === "" && result.isError === true ? unsaid : said;
    const cut = limits === false ? { text: full, omitted: 0 } : truncate(full, tool, limits);
    const text = tag ? tagAsData(cut.text, tool) : cut.text;
    const others = result.content.filter((block) => textIn(block) === undefined);
    const { structuredContent, ...kept } = result;
    const isError = result.isError === true;
    return { result: { ...kept, content: [{ type: "text", text }, ...others], isError }, omitted: cut.omitted };
  }

  async function blocked(call: GuardedCall): Promise<string | undefined> {
    try {
      return await options.guard?.(call);
    } catch (error) {
      failed(error);
      return "the guard failed";
    }
  }

  async function run(next: Feature, call: Call): Promise<Outcome> {
    const startedMs = performance.now();
    const caller = call.principal?.id ?? options.caller ?? "mcp";
    const tool = String(call.params["name"]);
    const audit = (outcome: AuditRecord["outcome"], chars = 0, omittedChars = 0): void => {
      const record = { caller, tool, outcome, ms: performance.now() - startedMs, chars, omittedChars };
      alone(() => options.audit?.(record), failed);
    };
    const args = isJsonObject(call.params["arguments"]) ? call.params["arguments"] : {};
    const reason = options.guard && (await blocked({ tool, args, caller, principal: call.principal, call }));
    if (reason !== undefined) {
      audit("blocked");
      return complete({ content: [{ type: "text", text: `blocked by the guard: ${reason}` }], isError: true });
    }
    let outcome: Outcome;
    try {
      outcome = await next(call);
    } catch (error) {
      audit("threw");
      throw error;
    }
    const said = toolResult(outcome);
    if (said === undefined) {
      if (outcome.type === "refused") audit("refused");
      return outcome;
    }
    const { result, omitted } = shape(said, tool);
    audit(result.isError === true ? "failed" : "ok", lengthOf(result), omitted);
    return complete(result);
  }

  return (next) => {
    const list = shapes ? changeList(next, (tools) => tools.map(({ outputSchema, ...tool }) => tool)) : next;
    return (call) => {
      if (call.method === "tools/call") return run(next, call);
      return call.method === "tools/list" ? list(call) : next(call);
    };
  };
}

function complete(result: CallToolResult): Outcome {
  return { type: "complete", result };
}

function lengthOf({ content }: CallToolResult): number {
  return content.reduce((sum, block) => sum + (textIn(block)?.length ?? 0), 0);
}
