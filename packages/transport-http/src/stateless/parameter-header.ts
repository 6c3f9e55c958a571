import { type JsonObject, LocalError } from "@parlance/jsonrpc";
import { isJsonObject } from "../json-object.js";
import { encodeHeader } from "./header.js";

/** An argument of a tool that is repeated in a header of HTTP. */
export interface ParameterHeader {
  /** What follows `Mcp-Param-`. */
  readonly name: string;
  /** Where the value is in the arguments. */
  readonly path: readonly string[];
}

/** What the annotations of a schema come to; `fault` says why the tool cannot be used over HTTP. */
export type ParameterHeaders =
  | { readonly headers: readonly ParameterHeader[]; readonly fault?: undefined }
  | { readonly headers?: undefined; readonly fault: string };

const annotation = "x-mcp-header";
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const types: readonly unknown[] = ["string", "integer", "boolean"];
const scalars: readonly string[] = ["string", "number", "boolean"];

/** Keywords whose members are schemas by name: a member that is called like the annotation is none. */
const byName: readonly string[] = ["properties", "patternProperties", "dependentSchemas", "$defs", "definitions"];
/** Keywords that hold values and no schemas. */
const values: readonly string[] = ["const", "default", "enum", "examples"];

/** No tool nests its arguments deeper, and what nests deeper is not searched. */
const maxDepth = 64;

/**
 * Reads which arguments a tool wants repeated in headers.
 * @see MCP 2026-07-28, basic/transports/streamable-http, custom headers from tool parameters
 */
export function readParameterHeaders(inputSchema: JsonObject): ParameterHeaders {
  const headers = new Map<string, ParameterHeader>();
  let fault: string | undefined;

  /** @param path from the root by `properties` alone; absent where an annotation may not be */
  function visit(schema: unknown, path: readonly string[] | undefined, depth: number): void {
    if (typeof schema !== "object" || schema === null || depth > maxDepth) return;
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword === annotation) take(value, Object(schema).type, path);
      else if (byName.includes(keyword)) {
        const inner = keyword === "properties" ? path : undefined;
        for (const [name, member] of Object.entries(Object(value))) visit(member, inner && [...inner, name], depth + 1);
      } else if (!values.includes(keyword)) visit(value, undefined, depth + 1);
    }
  }

  function take(name: unknown, type: unknown, path: readonly string[] = []): void {
    const key = String(name).toLowerCase();
    if (typeof name === "string" && token.test(name) && !headers.has(key) && path.length > 0 && types.includes(type)) {
      headers.set(key, { name, path });
    } else {
      fault ??= `${annotation} ${JSON.stringify(name)} must be a name for a header, there once, on a string, integer or boolean reached by properties alone`;
    }
  }

  visit(inputSchema, [], 0);
  return fault === undefined ? { headers: [...headers.values()] } : { fault };
}

/**
 * The headers that repeat arguments. What is absent, `null` or of another kind gives none.
 * @throws LocalError `INVALID_ARGUMENT` for a number that is no integer, or that JSON cannot carry exactly
 */
export function mirrored(headers: readonly ParameterHeader[], args: unknown): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const { name, path } of headers) {
    const value = valueAt(path, args);
    if (typeof value === "number" && !Number.isSafeInteger(value)) {
      const rule = "goes into a header and must be an integer within ±(2^53 − 1)";
      throw new LocalError("INVALID_ARGUMENT", `argument ${path.join(".")} ${rule}, not ${value}`);
    }
    if (scalars.includes(typeof value)) found[`mcp-param-${name.toLowerCase()}`] = encodeHeader(String(value));
  }
  return found;
}

/** What stands at a place in the arguments; `undefined` when there is nothing. */
export function valueAt(path: readonly string[], args: unknown): unknown {
  return path.reduce<unknown>((at, key) => (isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined), args);
}
