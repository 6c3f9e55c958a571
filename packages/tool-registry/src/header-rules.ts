import { type JsonObject, LocalError } from "@parlance/jsonrpc";
import type { ToolDefinition } from "@parlance/protocol-versions";
import type { Entry } from "./entry.js";

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

/**
 * Refuses a tool that is annotated where nobody would compare: that must be found when it is written, and not when it is
 * called.
 * @throws LocalError `INVALID_ARGUMENT`
 */
export function refuseAnnotated({ name, inputSchema }: ToolDefinition): void {
  // where it is the name of a member, and no part of a text
  if (!JSON.stringify(inputSchema).includes('"x-mcp-header":')) return;
  throw refusal(name, "has x-mcp-header; createToolRegistry(tools, { headers: parameterHeaders }) sees to it");
}

/**
 * Compares the headers of a call with its arguments. A tool that clients would not list is not taken in, unless another
 * server describes it: then it is repeated as it is, and clients leave it out.
 * @throws LocalError `INVALID_ARGUMENT`
 */
export function comparing(entry: Entry, read: ReadHeaderRules, isRemote: boolean): Entry {
  const { name, inputSchema } = entry.definition;
  const { fault, check } = read(inputSchema);
  if (fault !== undefined && !isRemote) throw refusal(name, fault);
  if (check === undefined) return entry;
  return {
    ...entry,
    refuse(call, args) {
      const refused = entry.refuse?.(call, args);
      const message = refused === undefined && call.header !== undefined ? check(args, call.header) : undefined;
      return message === undefined ? refused : { type: "refused", reason: "header_mismatch", message };
    },
  };
}

function refusal(tool: string, fault: string): LocalError {
  return new LocalError("INVALID_ARGUMENT", `the input of tool "${tool}" ${fault}`);
}
