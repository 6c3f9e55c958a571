import { isJsonObject } from "@parlance/protocol-versions";

/**
 * Says where a value cannot be JSON (`a BigInt at result.total`, `a circle at result.self`); nothing when it can.
 * It makes no text: long strings cost nothing, and the path is only put together once there is a fault.
 */
export function jsonFault(value: unknown, root: string): string | undefined {
  const fault = walk(value, []);
  return fault && `a ${fault.what} at ${root}${fault.path}`;
}

interface Fault {
  readonly what: "BigInt" | "circle" | "Map" | "Set";
  readonly path: string;
}

function walk(value: unknown, open: object[]): Fault | undefined {
  const isBig = typeof value === "bigint";
  if (!isBig && (typeof value !== "object" || value === null)) return undefined;
  if ("toJSON" in Object(value)) return undefined;
  if (isBig) return { what: "BigInt", path: "" };
  // JSON would show them empty
  if (value instanceof Map) return { what: "Map", path: "" };
  if (value instanceof Set) return { what: "Set", path: "" };
  if (open.includes(value)) return { what: "circle", path: "" };
  open.push(value);
  for (const key in value) {
    const fault = walk(Reflect.get(value, key), open);
    if (fault !== undefined) return { ...fault, path: `${isJsonObject(value) ? `.${key}` : `[${key}]`}${fault.path}` };
  }
  open.pop();
  return undefined;
}

/** How many characters of a foreign text are repeated in a message. */
const longestEcho = 120;

/** Names what stands where something else should, for a message: a scalar in full, if it is short; anything else by its kind. */
export function kindOf(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(cut(value, longestEcho));
  if (Array.isArray(value)) return "an array";
  if (isJsonObject(value)) return "an object";
  if (value === undefined) return "nothing";
  return typeof value === "function" ? "a function" : String(value);
}

/** Shortens a text that somebody else chose. */
export function cut(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
