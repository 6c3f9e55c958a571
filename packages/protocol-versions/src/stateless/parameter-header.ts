import { type JsonObject, LocalError } from "@parlance/jsonrpc";
import { isJsonObject } from "../json-object.js";

/**
 * An argument of a tool that is repeated in a header of HTTP.
 * @stable
 */
export interface ParameterHeader {
  /** What follows `Mcp-Param-`. */
  readonly name: string;
  /** Where the value is in the arguments. */
  readonly path: readonly string[];
  readonly type: "string" | "integer" | "boolean";
}

/**
 * What the annotations of a schema come to; `fault` says why the tool cannot be used over HTTP.
 * @stable
 */
export type ParameterHeaders =
  | { readonly headers: readonly ParameterHeader[]; readonly fault?: undefined }
  | { readonly headers?: undefined; readonly fault: string };

const annotation = "x-mcp-header";
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Keywords whose members are schemas by name: a member that is called like the annotation is none. */
const byName: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "dependentSchemas",
  "$defs",
  "definitions",
]);
/** Keywords that hold values and no schemas. */
const values: ReadonlySet<string> = new Set(["const", "default", "enum", "examples"]);

/** No tool nests its arguments deeper, and what nests deeper is not searched. */
const maxDepth = 64;

/**
 * Reads which arguments a tool wants repeated in headers.
 * @see MCP 2026-07-28, basic/transports/streamable-http, custom headers from tool parameters
 * @stable
 */
export function readParameterHeaders(inputSchema: JsonObject): ParameterHeaders {
  const headers: ParameterHeader[] = [];
  const names = new Set<string>();

  /** @param path from the root by `properties` alone; absent where an annotation may not be */
  function visit(schema: unknown, path: readonly string[] | undefined, depth: number): string | undefined {
    if (depth > maxDepth) return undefined;
    if (Array.isArray(schema)) return first(schema, (item) => visit(item, undefined, depth + 1));
    if (!isJsonObject(schema)) return undefined;
    if (Object.hasOwn(schema, annotation)) {
      const fault = take(schema, path);
      if (fault !== undefined) return fault;
    }
    return first(Object.entries(schema), ([keyword, value]) => {
      if (values.has(keyword) || keyword === annotation) return undefined;
      if (!byName.has(keyword) || !isJsonObject(value)) return visit(value, undefined, depth + 1);
      const inner = keyword === "properties" ? path : undefined;
      return first(Object.entries(value), ([name, member]) => visit(member, inner && [...inner, name], depth + 1));
    });
  }

  function take(schema: JsonObject, path: readonly string[] | undefined): string | undefined {
    const { [annotation]: name, type } = schema;
    const shown = `${annotation} ${JSON.stringify(name)}`;
    if (path === undefined || path.length === 0)
      return `${shown} stands where no argument is, reached by properties alone`;
    if (typeof name !== "string" || !token.test(name)) return `${shown} is no name for a header`;
    if (names.has(name.toLowerCase())) return `${shown} is there twice`;
    if (type !== "string" && type !== "integer" && type !== "boolean") {
      return `${shown} is on a value of type ${JSON.stringify(type)}; only a string, an integer or a boolean will do`;
    }
    names.add(name.toLowerCase());
    headers.push({ name, path, type });
    return undefined;
  }

  const fault = visit(inputSchema, [], 0);
  return fault === undefined ? { headers } : { fault };
}

function first<T>(items: readonly T[], find: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * The values that go into headers. What is absent, `null` or of another kind gives none.
 * @throws LocalError `INVALID_ARGUMENT` for a number that is no integer, or that JSON cannot carry exactly
 */
export function mirroredValues(
  headers: readonly ParameterHeader[],
  args: unknown,
): Readonly<Record<string, string | number | boolean>> {
  const mirrored: Record<string, string | number | boolean> = {};
  for (const { name, path } of headers) {
    const value = path.reduce<unknown>(
      (at, key) => (isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined),
      args,
    );
    if (typeof value === "number" && !Number.isSafeInteger(value)) {
      throw new LocalError(
        "INVALID_ARGUMENT",
        `argument ${path.join(".")} goes into a header and must be an integer within ±(2^53 − 1), not ${value}`,
        { details: { argument: path.join("."), value } },
      );
    }
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") mirrored[name] = value;
  }
  return mirrored;
}
