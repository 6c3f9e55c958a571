/**
 * Says where a value cannot be JSON (`a BigInt at total`, `a circle at self`); nothing when it can.
 * Walks without making text, so long strings cost nothing.
 */
export function jsonFault(value: unknown, path: string): string | undefined {
  return walk(value, path, new Set());
}

function walk(value: unknown, path: string, open: Set<object>): string | undefined {
  if (typeof value === "bigint") return writesItself(value) ? undefined : `a BigInt at ${path}`;
  if (typeof value !== "object" || value === null || writesItself(value)) return undefined;
  if (open.has(value)) return `a circle at ${path}`;
  open.add(value);
  for (const key of Object.keys(value)) {
    const at = Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`;
    const fault = walk(Reflect.get(value, key), at, open);
    if (fault !== undefined) return fault;
  }
  open.delete(value);
  return undefined;
}

function writesItself(value: object | bigint): boolean {
  return "toJSON" in Object(value);
}

/** Names what stands where something else should: for error messages. */
export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  switch (typeof value) {
    case "string":
    case "number":
    case "boolean":
      return JSON.stringify(value);
    case "undefined":
      return "nothing";
    case "object":
      return "an object";
    default:
      return `a ${typeof value}`;
  }
}

/** Whether a value is what JSON calls an object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
