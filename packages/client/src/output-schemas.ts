import { type JsonObject, LocalError } from "@parlance/jsonrpc";
import type { ClientPart } from "./inner.js";
import type { Schema } from "./schema.js";
import { readOutput } from "./typed-tool.js";

/**
 * Checks structured content by the schemas that servers list: `connectClient({ schemas: outputSchemas(jsonSchema), … })`,
 * with `jsonSchema` of `@parlance/json-schema`. One that does not fit, or has a schema of which none can be made, is a
 * `BAD_REPLY`.
 * @see MCP 2026-07-28, server/tools, output schema
 * @stable
 */
export function outputSchemas(validator: (schema: JsonObject) => Schema<unknown>): ClientPart {
  return (client) => {
    const { readerOf } = client;
    let listed: ReadonlyMap<string, JsonObject> = new Map();
    const made = new Map<string, Schema<unknown>>();

    /** Made when it is first asked for. */
    function schemaOf(tool: string): Schema<unknown> | undefined {
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
    }

    client.learning.add((tools) => {
      made.clear();
      listed = new Map(tools.flatMap(({ name, outputSchema }) => (outputSchema ? [[name, outputSchema]] : [])));
    });
    client.readerOf = (of, name, options) => {
      const schema = schemaOf(name);
      const read = readerOf(of, name, options);
      return async (answer) => {
        const result = await read(answer);
        // it is given as it came, and not as the schema made it
        if (schema !== undefined && result.isError !== true) await readOutput(name, result, schema);
        return result;
      };
    };
  };
}
