import type { JsonObject } from "@parlance/jsonrpc";
import { isJsonObject } from "./json-object.js";
import type { FormSchema } from "./model/elicitation.js";

/**
 * What is wrong with the content of a form, each in words that name the field; `[]` when it fits.
 * @see MCP 2026-07-28, client/elicitation, requested schema
 * @stable
 */
export function formFaults(schema: FormSchema, content: unknown): readonly string[] {
  if (!isJsonObject(content)) return ["it is no object"];
  const { properties, required = [] } = schema;
  const missing = required.filter((name) => !Object.hasOwn(content, name)).map((name) => `"${name}" is missing`);
  const wrong = Object.entries(content).flatMap(([name, value]) => {
    if (!Object.hasOwn(properties, name)) return [`"${name}" was not asked for`];
    const right = fieldFault(properties[name] ?? {}, value);
    return right === undefined ? [] : [`"${name}" should be ${right}`];
  });
  return [...missing, ...wrong];
}

/** The defaults of a form: what it is filled in with to begin with. One that does not fit its field is none. @stable */
export function formDefaults(schema: FormSchema): JsonObject {
  const fields: readonly [string, JsonObject][] = Object.entries(schema.properties);
  return Object.fromEntries(
    fields.filter(([, field]) => isDefault(field)).map(([name, field]) => [name, field["default"]]),
  );
}

function isDefault(field: JsonObject): boolean {
  const value = field["default"];
  return value !== undefined && fieldFault(field, value) === undefined;
}

/** What a value should have been; `undefined` when it fits. */
function fieldFault(field: JsonObject, value: unknown): string | undefined {
  switch (field["type"]) {
    case "boolean":
      return typeof value === "boolean" ? undefined : "true or false";
    case "number":
    case "integer":
      return numberFault(field, value);
    case "array":
      return listFault(field, value);
    default:
      return textFault(field, value);
  }
}

function numberFault({ type, minimum, maximum }: JsonObject, value: unknown): string | undefined {
  const fits = type === "integer" ? Number.isInteger(value) : Number.isFinite(value);
  if (!fits || typeof value !== "number") return type === "integer" ? "a whole number" : "a number";
  if (typeof minimum === "number" && value < minimum) return `${minimum} or more`;
  return typeof maximum === "number" && value > maximum ? `${maximum} or less` : undefined;
}

function listFault({ items, minItems, maxItems }: JsonObject, value: unknown): string | undefined {
  const choices = isJsonObject(items) ? choicesOf(items) : undefined;
  if (!Array.isArray(value) || !value.every((one) => typeof one === "string" && (choices?.includes(one) ?? true))) {
    return `a list of ${choices?.join(", ") ?? "texts"}`;
  }
  if (typeof minItems === "number" && value.length < minItems) return `${minItems} or more of them`;
  return typeof maxItems === "number" && value.length > maxItems ? `${maxItems} or fewer of them` : undefined;
}

function textFault(field: JsonObject, value: unknown): string | undefined {
  const { minLength, maxLength, format } = field;
  const choices = choicesOf(field);
  // a type that nobody knows is whoever made it up's to check
  if (field["type"] !== "string" && choices === undefined) return undefined;
  if (typeof value !== "string") return "a text";
  if (choices !== undefined) return choices.includes(value) ? undefined : `one of ${choices.join(", ")}`;
  // characters as people count them, which JSON Schema does too
  const length = typeof minLength === "number" || typeof maxLength === "number" ? [...value].length : 0;
  if (typeof minLength === "number" && length < minLength) return `${minLength} or more characters`;
  if (typeof maxLength === "number" && length > maxLength) return `${maxLength} or fewer characters`;
  const isRight = typeof format === "string" ? formats.get(format) : undefined;
  return isRight === undefined || isRight(value) ? undefined : `of the format ${format}`;
}

/** The choices of a field in any of the ways in which revisions write them; `undefined`: anything goes. */
function choicesOf(field: JsonObject): readonly unknown[] | undefined {
  if (Array.isArray(field["enum"])) return field["enum"];
  const titled = field["oneOf"] ?? field["anyOf"];
  return Array.isArray(titled) ? titled.map((choice) => choice?.const) : undefined;
}

const day = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
const time = /^(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

const formats: ReadonlyMap<string, (value: string) => boolean> = /* @__PURE__ */ new Map([
  ["email", (value) => /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)*$/.test(value)],
  ["uri", (value) => /^[a-z][a-z\d+.-]*:[^\s<>"{}|\\^`]+$/i.test(value)],
  ["date", isDay],
  ["date-time", (value) => /^[Tt ]/.test(value.charAt(10)) && isDay(value.slice(0, 10)) && time.test(value.slice(11))],
]);

/** That day exists: what a month does not have, a `Date` counts on into the next. */
function isDay(value: string): boolean {
  return day.test(value) && new Date(`${value}T00:00:00Z`).getUTCDate() === Number(value.slice(8));
}
