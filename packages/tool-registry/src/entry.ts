import type { ParameterHeader, ToolDefinition } from "@parlance/protocol-versions";
import { RegistryError } from "./error.js";
import { mirroredHeaders, remoteHeaders } from "./header-mirror.js";
import { remoteDefinition } from "./remote.js";
import { checkSchema, type Schema } from "./schema.js";
import type { AnyTool, ToolCall } from "./tool.js";

/** A tool as a registry holds it. */
export interface Entry {
  readonly tool: AnyTool;
  /** The same tool, run with what its own schema gave. */
  readonly runnable: Runnable;
  readonly owner: string | undefined;
  readonly input: Schema["~standard"] | undefined;
  readonly output: Schema["~standard"] | undefined;
  readonly remote: ToolDefinition | undefined;
  /** The arguments that HTTP repeats in headers. */
  readonly headers: readonly ParameterHeader[];
  enabled: boolean;
  /** Made when first listed. */
  definition: ToolDefinition | undefined;
}

interface Runnable {
  run(input: unknown, call: ToolCall): unknown;
}

/**
 * Takes a tool in.
 * @throws RegistryError `INVALID_TOOL`, `INVALID_SCHEMA`
 */
export function createEntry(tool: AnyTool, owner: string | undefined, enabled: boolean): Entry {
  const { name, input, output, run } = tool;
  if (typeof name !== "string" || typeof run !== "function") {
    const message = `A tool needs a string as name and a function as run, not ${typeof name} and ${typeof run}`;
    throw new RegistryError("INVALID_TOOL", message, { tool: String(name) });
  }
  checkSchema(name, "input", input);
  checkSchema(name, "output", output);
  const remote = tool[remoteDefinition];
  return {
    tool,
    runnable: tool,
    owner,
    input: input?.["~standard"],
    output: output?.["~standard"],
    remote,
    headers: remote === undefined ? mirroredHeaders(tool) : remoteHeaders(remote.inputSchema),
    enabled,
    definition: undefined,
  };
}
