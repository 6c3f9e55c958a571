import type { CacheHint, Call, Pages } from "@parlance/protocol-versions";
import type { ReadHeaderRules } from "./header-rules.js";
import type { RegistryReport } from "./report.js";
import type { AnyTool } from "./tool.js";

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

/**
 * How a registry behaves.
 * @stable
 */
export interface ToolRegistryOptions {
  /**
   * Which tools a caller may see. One that it may not see is unknown to it, in the list and when called.
   * Decide by `call.principal`: the set must not depend on the connection or on earlier calls. Default: all.
   */
  readonly visible?: ((tool: AnyTool, call: Call) => boolean) | undefined;
  /**
   * Sees to tools whose arguments HTTP repeats in headers: `parameterHeaders`, from `@parlance/transport-http`.
   * Default: a tool that is annotated with `x-mcp-header` is refused.
   */
  readonly headers?: ReadHeaderRules | undefined;
  /** How long and by whom the list may be kept. Default: the era's, which is not at all. */
  readonly cache?: CacheHint | undefined;
  /** How the list is divided: `paged(50)`; all pages have the same `cache`. Default: into one page. */
  readonly pages?: Pages | undefined;
  /** Hears what tools threw and callers were not shown. Default: the `onError` of the server. */
  readonly onError?: OnToolError | undefined;
  /** Hears what the registry noticed, those errors too. */
  readonly report?: ((report: RegistryReport) => void) | undefined;
}
