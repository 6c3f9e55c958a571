/**
 * Says where a value cannot be JSON (`a BigInt at result.total`, `a circle at result.self`); nothing when it can.
 * It makes no text: long strings cost nothing, and the path is only put together once there is a fault.
 */
export function jsonFault(value: unknown, root: string): string | undefined {
  const fault = walk(value, []);
  return fault && `${fault.what} at ${root}${fault.path}`;
}

interface Fault {
  readonly what: string;
  readonly path: string;
}

function walk(value: unknown, open: object[]): Fault | undefined {
  if (typeof value === "bigint") return writesItself(value) ? undefined : { what: "a BigInt", path: "" };
  if (typeof value !== "object" || value === null || writesItself(value)) return undefined;
  if (open.includes(value)) return { what: "a circle", path: "" };
  open.push(value);
  for (const key in value) {
    const fault = walk(Reflect.get(value, key), open);
    if (fault !== undefined) {
      return { what: fault.what, path: `${Array.isArray(value) ? `[${key}]` : `.${key}`}${fault.path}` };
    }
  }
  open.pop();
  return undefined;
}

function writesItself(value: object | bigint): boolean {
  return "toJSON" in Object(value);
}

/** How many characters of a foreign text are repeated in a message. */
const longestEcho = 120;

/** Names what stands where something else should, for a message: a scalar in full, if it is short; a container by its kind. */
export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  switch (typeof value) {
    case "string":
      return JSON.stringify(cut(value, longestEcho));
    case "number":
    case "boolean":
      return String(value);
    case "undefined":
      return "nothing";
    case "object":
      return "an object";
    default:
      return `a ${typeof value}`;
  }
}

/** Shortens a text that somebody else chose. */
export function cut(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** Whether a value is what JSON calls an object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
