import { type JsonObject, LocalError } from "@parlance/jsonrpc";
import type { ToolDefinition } from "@parlance/protocol-versions";
import type { Schema } from "./schema.js";

/**
 * What `outputSchemas` gives, for `connectClient`. One for each client.
 * @stable
 */
export interface OutputSchemas {
  /** Takes note of the last list only. */
  learn(tools: readonly ToolDefinition[]): void;
  /**
   * The schema that a tool's structured content must fit, made when it is first asked for.
   * @throws LocalError `BAD_REPLY` when none can be made of what the server gave
   */
  of(tool: string): Schema<unknown> | undefined;
}

/**
 * Checks structured content by the schemas that servers list: `connectClient({ schemas: outputSchemas(jsonSchema), … })`,
 * with `jsonSchema` of `@parlance/json-schema`.
 * @see MCP 2026-07-28, server/tools, output schema
 * @stable
 */
export function outputSchemas(validator: (schema: JsonObject) => Schema<unknown>): OutputSchemas {
  let listed: ReadonlyMap<string, JsonObject> = new Map();
  const made = new Map<string, Schema<unknown>>();
  return {
    learn: (tools) => {
      made.clear();
      listed = new Map(tools.flatMap(({ name, outputSchema }) => (outputSchema ? [[name, outputSchema]] : [])));
    },
    of: (tool) => {
      const definition = listed.get(tool);
      const known = made.get(tool);
      if (definition === undefined || known !== undefined) return known;
      try {
        const schema = validator(definition);
        made.set(tool, schema);
        return schema;
      } catch (cause) {
        const reason = cause instanceof Error ? cause.message : String(cause);
        const message = `the outputSchema of tool ${tool} cannot be used: ${reason}`;
        throw new LocalError("BAD_REPLY", message, { cause, details: { tool } });
      }
    },
  };
}
