import type { JsonObject } from "@parlance/jsonrpc";
import { isJsonObject, type ParameterHeader, readParameterHeaders } from "@parlance/protocol-versions";
import { RegistryError } from "./error.js";
import { kindOf } from "./json.js";
import { toInputSchema } from "./schema.js";
import type { AnyTool } from "./tool.js";

const none: readonly ParameterHeader[] = [];

/**
 * The arguments of a tool that HTTP clients repeat in headers. Its schema is converted for it: what clients would not
 * list must be found when it is written, and not when it is called.
 * @throws RegistryError `INVALID_SCHEMA` when an annotation is wrong, or the schema none of an object
 * @see MCP 2026-07-28, server/tools, x-mcp-header
 */
export function mirroredHeaders(tool: AnyTool): readonly ParameterHeader[] {
  const { name, input } = tool;
  if (input === undefined) return none;
  const { headers, fault } = readParameterHeaders(toInputSchema(name, input));
  if (fault !== undefined) {
    throw new RegistryError("INVALID_SCHEMA", `The input of tool "${name}" is annotated wrongly: ${fault}`, {
      tool: name,
    });
  }
  return headers.length === 0 ? none : headers;
}

/**
 * The same of a tool that another server describes. One that is annotated wrongly is repeated as it is: clients leave it
 * out, and nothing is to be checked.
 */
export function remoteHeaders(inputSchema: JsonObject): readonly ParameterHeader[] {
  return readParameterHeaders(inputSchema).headers ?? none;
}

/**
 * Says where the headers of a call are not what its arguments are, or nothing.
 * @throws RpcError −32020 when a header is malformed
 * @see MCP 2026-07-28, basic/transports/streamable-http, custom headers from tool parameters
 */
export function headerFault(
  headers: readonly ParameterHeader[],
  args: JsonObject,
  read: (name: string) => string | undefined,
): string | undefined {
  for (const { name, path } of headers) {
    const header = `Mcp-Param-${name}`;
    const got = read(header);
    const value = valueAt(path, args);
    if (agrees(got, value)) continue;
    const argument = `argument ${path.join(".")} is ${kindOf(value)}`;
    return got === undefined ? `${header} is missing, ${argument}` : `${header} is ${kindOf(got)}, ${argument}`;
  }
  return undefined;
}

function valueAt(path: readonly string[], args: JsonObject): unknown {
  return path.reduce<unknown>((at, key) => (isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined), args);
}

const numeral = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** What is no scalar has no header, and the tool's schema refuses it. */
function agrees(header: string | undefined, value: unknown): boolean {
  switch (typeof value) {
    case "string":
      return header === value;
    case "boolean":
      return header === String(value);
    case "number":
      return header !== undefined && numeral.test(header) && Number(header) === value;
    default:
      return header === undefined;
  }
}
