import type { ToolDefinition } from "@parlance/protocol-versions";
import { RegistryError } from "./error.js";
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
  enabled: boolean;
  /** Made when first listed. */
  definition: ToolDefinition | undefined;
}

interface Runnable {
  run(input: unknown, call: ToolCall): unknown;
}

/**
 * Takes a tool in, without converting its schemas.
 * @throws RegistryError `INVALID_TOOL`, `INVALID_SCHEMA`
 */
export function createEntry(tool: AnyTool, owner: string | undefined, enabled: boolean): Entry {
  const { name, input, output } = tool;
  if (typeof name !== "string") {
    throw new RegistryError("INVALID_TOOL", `A tool's name must be a string, not ${typeof name}`, {
      tool: String(name),
    });
  }
  if (typeof tool.run !== "function") {
    throw new RegistryError("INVALID_TOOL", `Tool "${name}" must have a run function, not ${typeof tool.run}`, {
      tool: name,
    });
  }
  if (input !== undefined) checkSchema(name, "input", input);
  if (output !== undefined) checkSchema(name, "output", output);
  return {
    tool,
    runnable: tool,
    owner,
    input: input?.["~standard"],
    output: output?.["~standard"],
    remote: tool[remoteDefinition],
    enabled,
    definition: undefined,
  };
}
