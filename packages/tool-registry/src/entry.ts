import type { ToolDefinition } from "@parlance/protocol-versions";
import { RegistryError } from "./error.js";
import { type HeaderRules, headerCheck, type ReadHeaderRules } from "./header-rules.js";
import { remoteDefinition } from "./remote.js";
import { checkSchema, type Schema, toInputSchema } from "./schema.js";
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
  /** Compares the headers of a call with its arguments. */
  readonly headers: HeaderRules["check"];
  enabled: boolean;
  /** Made when first listed. */
  definition: ToolDefinition | undefined;
}

interface Runnable {
  run(input: unknown, call: ToolCall): unknown;
}

/** How a tool is taken in. */
export interface EntryOptions {
  readonly owner: string | undefined;
  readonly enabled: boolean;
  readonly headers: ReadHeaderRules | undefined;
}

/**
 * Takes a tool in. Its input is converted at once, so that what cannot be listed is found when it is written.
 * @throws RegistryError `INVALID_TOOL`, `INVALID_SCHEMA`
 */
export function createEntry(tool: AnyTool, { owner, enabled, headers }: EntryOptions): Entry {
  const { name, input, output, run } = tool;
  if (typeof name !== "string" || typeof run !== "function") {
    const message = `A tool needs a string as name and a function as run, not ${typeof name} and ${typeof run}`;
    throw new RegistryError("INVALID_TOOL", message, { tool: String(name) });
  }
  for (const face of ["input", "output"]) {
    if (!(`${face}Schema` in tool)) continue;
    throw new RegistryError("INVALID_TOOL", `${face}Schema of tool "${name}" is called ${face} here`, { tool: name });
  }
  checkSchema(name, "input", input);
  checkSchema(name, "output", output);
  const remote = tool[remoteDefinition];
  const schema = remote?.inputSchema ?? (input && toInputSchema(name, input));
  return {
    tool,
    runnable: tool,
    owner,
    input: input?.["~standard"],
    output: output?.["~standard"],
    remote,
    headers: schema && headerCheck({ tool: name, schema, remote: remote !== undefined }, headers),
    enabled,
    definition: undefined,
  };
}
