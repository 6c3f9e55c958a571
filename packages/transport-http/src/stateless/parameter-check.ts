import type { JsonObject } from "@parlance/jsonrpc";
import { excerpt } from "@parlance/jsonrpc/codec";
import { type ParameterHeader, readParameterHeaders, valueAt } from "./parameter-header.js";

/**
 * Which arguments of a tool are repeated in headers, as its schema annotates them.
 * @stable
 */
export interface ParameterHeaderRules {
  /** What is wrong with the annotations: clients would not list the tool. */
  readonly fault?: string | undefined;
  /**
   * Says where the headers of a call are not what its arguments are, or nothing. Absent: there is nothing to compare.
   * @throws RpcError −32020 when a header is malformed
   */
  readonly check?: ((args: JsonObject, header: (name: string) => string | undefined) => string | undefined) | undefined;
}

/**
 * Compares the headers in which clients repeat arguments with those arguments:
 * `createToolRegistry(tools, { headers: parameterHeaders })`.
 * @see MCP 2026-07-28, basic/transports/streamable-http, custom headers from tool parameters
 * @stable
 */
export function parameterHeaders(inputSchema: JsonObject): ParameterHeaderRules {
  const { headers = [], fault } = readParameterHeaders(inputSchema);
  if (fault !== undefined) return { fault: `is annotated wrongly: ${fault}` };
  return headers.length === 0 ? {} : { check: (args, header) => difference(headers, args, header) };
}

function difference(
  headers: readonly ParameterHeader[],
  args: JsonObject,
  read: (name: string) => string | undefined,
): string | undefined {
  for (const { name, path } of headers) {
    const header = `Mcp-Param-${name}`;
    const got = read(header);
    const value = valueAt(path, args);
    if (!agrees(got, value)) return `${header} is ${shown(got)}, argument ${path.join(".")} is ${shown(value)}`;
  }
  return undefined;
}

function shown(value: unknown): string {
  return value === undefined ? "missing" : excerpt(value);
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
