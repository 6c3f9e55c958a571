import type { JsonObject } from "@parlance/jsonrpc";
import { RegistryError } from "./error.js";

/**
 * Which arguments of a tool are repeated in headers of HTTP, as its schema annotates them.
 * @see MCP 2026-07-28, server/tools, x-mcp-header
 * @stable
 */
export interface HeaderRules {
  /** What is wrong with the annotations: clients would not list the tool. */
  readonly fault?: string | undefined;
  /**
   * Says where the headers of a call are not what its arguments are, or nothing. Absent: there is nothing to compare.
   * @throws RpcError −32020 when a header is malformed
   */
  readonly check?: ((args: JsonObject, header: (name: string) => string | undefined) => string | undefined) | undefined;
}

/**
 * Reads them from the JSON Schema of a tool's arguments.
 * @stable
 */
export type ReadHeaderRules = (inputSchema: JsonObject) => HeaderRules;

/** Where it is the name of a member, and no part of a text. */
const annotation = '"x-mcp-header":';

/** A tool, as far as headers are concerned. */
export interface HeaderSource {
  readonly tool: string;
  readonly schema: JsonObject;
  /** Another server describes it. One that is annotated wrongly is then repeated as it is: clients leave it out. */
  readonly remote: boolean;
}

/**
 * What is compared when the tool is called. A tool that is annotated is not taken in where nobody would compare, and
 * neither is one that clients would not list: that must be found when it is written, and not when it is called.
 * @throws RegistryError `INVALID_SCHEMA`
 */
export function headerCheck(source: HeaderSource, read: ReadHeaderRules | undefined): HeaderRules["check"] {
  const { tool, schema, remote } = source;
  if (read === undefined) {
    if (!JSON.stringify(schema).includes(annotation)) return undefined;
    throw refusal(tool, "has x-mcp-header; createToolRegistry(tools, { headers: parameterHeaders }) sees to it");
  }
  const { fault, check } = read(schema);
  if (fault !== undefined && !remote) throw refusal(tool, fault);
  return check;
}

function refusal(tool: string, fault: string): RegistryError {
  return new RegistryError("INVALID_SCHEMA", `The input of tool "${tool}" ${fault}`, { tool });
}
