import { type JsonObject, LocalError } from "@parlance/jsonrpc";
import type { ToolDefinition } from "@parlance/protocol-versions";
import type { Schema } from "./schema.js";
import { toolHints } from "./tools.js";

/** What the last list of tools said about them. */
export interface KnownTools {
  /** Whether structured content is checked at all. */
  readonly checks: boolean;
  learn(tools: readonly ToolDefinition[]): void;
  /** Whether a tool may be called again without harm, as far as the server is believed. */
  isRepeatable(name: string): boolean;
  /**
   * The schema that a tool's structured content must fit, made when it is first asked for.
   * @throws LocalError `BAD_REPLY` when none can be made of what the server gave
   */
  output(name: string): Schema<unknown> | undefined;
}

/** Remembers the last list only, and nothing when nobody would ask. */
export function createKnownTools(schemas: ((schema: JsonObject) => Schema<unknown>) | undefined): KnownTools {
  let repeatable: ReadonlySet<string> = new Set();
  let outputs: ReadonlyMap<string, JsonObject> = new Map();
  const made = new Map<string, Schema<unknown>>();
  return {
    checks: schemas !== undefined,
    learn: (tools) => {
      repeatable = new Set(tools.filter((tool) => toolHints(tool).idempotent).map((tool) => tool.name));
      made.clear();
      if (schemas === undefined) return;
      outputs = new Map(tools.flatMap(({ name, outputSchema }) => (outputSchema ? [[name, outputSchema]] : [])));
    },
    isRepeatable: (name) => repeatable.has(name),
    output: (name) => {
      const definition = outputs.get(name);
      if (definition === undefined || schemas === undefined) return undefined;
      const known = made.get(name);
      if (known !== undefined) return known;
      try {
        const schema = schemas(definition);
        made.set(name, schema);
        return schema;
      } catch (cause) {
        const reason = cause instanceof Error ? cause.message : String(cause);
        throw new LocalError("BAD_REPLY", `the outputSchema of tool ${name} cannot be used: ${reason}`, {
          cause,
          details: { tool: name },
        });
      }
    },
  };
}
