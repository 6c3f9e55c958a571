import type { JsonObject } from "@parlance/jsonrpc";
import { isJsonObject } from "../json-object.js";
import { memo } from "../memo.js";
import type { Downgrade } from "../served.js";
import { laterBlocks, types } from "./differences.js";

/** What becomes of a member. */
interface Rule {
  readonly name: string;
  /** @returns `undefined`: it is left out */
  change(value: unknown): unknown;
}

/** Members that can only be told to a session when they are objects, and schemas of objects. */
const objectsOnly: Readonly<Record<string, (value: unknown) => boolean>> = {
  // the text block that goes with structured content stays
  structuredContent: isJsonObject,
  outputSchema: (schema) => isJsonObject(schema) && schema["type"] === "object",
};

/**
 * Prepares to speak a revision. What there is to do for a type is found out once; a value that needs nothing is not copied.
 * @param age how many revisions of the era are newer
 * @see MCP 2025-11-25, basic/lifecycle, operation
 */
export function createDowngrade(age: number): Downgrade {
  const rules = new Map<string, readonly Rule[]>();

  function rulesOf(type: string): readonly Rule[] {
    return memo(rules, type, () => (types.get(type)?.split(" ") ?? []).flatMap((member) => ruleOf(member) ?? []));
  }

  function ruleOf(member: string): Rule | undefined {
    const [, name = "", inner = "", newest] = /([^:@]+):?(\w*)@?(\d?)/.exec(member) ?? [];
    if (newest && age >= Number(newest)) return { name, change: leaveOut };
    const fits = objectsOnly[name];
    const hasRules = rulesOf(inner).length > 0;
    const inside = (value: unknown): unknown => (hasRules ? each(value, (one) => downgrade(inner, one)) : value);
    if (fits !== undefined) return { name, change: (value) => (fits(value) ? inside(value) : undefined) };
    return hasRules ? { name, change: inside } : undefined;
  }

  /** A block of a type that came later is told as text. */
  function asKnown(block: JsonObject): JsonObject {
    if (age < (laterBlocks.get(block["type"]) ?? Number.POSITIVE_INFINITY)) return block;
    const { type, annotations, mimeType, title, name, uri } = block;
    const words = [String(type).replace("_", " "), mimeType, title ?? name, uri];
    const text = `[${words.filter((word) => word !== undefined).join(", ")}]`;
    return { type: "text", text, ...(annotations !== undefined && { annotations }) };
  }

  function downgrade(type: string, value: JsonObject): JsonObject {
    const known = type === "ContentBlock" ? asKnown(value) : value;
    let put: Record<string, unknown> | undefined;
    for (const { name, change } of rulesOf(type)) {
      if (!(name in known)) continue;
      const after = change(known[name]);
      if (after === known[name]) continue;
      put ??= { ...known };
      if (after === undefined) delete put[name];
      else put[name] = after;
    }
    return put ?? known;
  }

  return downgrade;
}

function leaveOut(): undefined {}

/** Changes an object, or each object of an array. */
function each(value: unknown, change: (one: JsonObject) => JsonObject): unknown {
  if (!Array.isArray(value)) return isJsonObject(value) ? change(value) : value;
  const after = value.map((one) => each(one, change));
  return after.some((one, at) => one !== value[at]) ? after : value;
}
