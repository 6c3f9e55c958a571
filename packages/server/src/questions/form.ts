import { type JsonObject, LocalError } from "@parlance/jsonrpc";
import { type FormFields, type FormOf, type FormSchema, isJsonObject } from "@parlance/protocol-versions";

const members: readonly string[] = [
  "type",
  "title",
  "description",
  "default",
  "enum",
  "enumNames",
  "oneOf",
  "items",
  "minItems",
  "maxItems",
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
];
const formats: readonly unknown[] = ["email", "uri", "date", "date-time"];
const types: readonly unknown[] = ["string", "number", "integer", "boolean"];
const secret =
  /(?:password|passwd|passphrase|passcode|secret|apikey|accesstoken|authtoken|privatekey|cardnumber|creditcard|cvv|cvc)$|^(?:token|pin)$/;

/**
 * What travels of a form: one flat object of texts, numbers, yes or no, and choices.
 * @throws LocalError `INVALID_ARGUMENT` for a field that a form cannot have
 * @see MCP 2026-07-28, client/elicitation, requested schema
 */
export function formSchema(form: FormFields | FormOf<unknown>): FormSchema {
  const { properties, required } = isSchema(form) ? schemaParts(form) : fieldParts(form);
  const fields: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(properties)) fields[name] = readField(name, field);
  return { type: "object", properties: checked(fields), ...(required.length > 0 && { required }) };
}

/** Whether a form is a schema of some library. */
export function isSchema(form: object): form is FormOf<unknown> {
  return "~standard" in form;
}

interface Parts {
  readonly properties: JsonObject;
  readonly required: readonly string[];
}

function schemaParts(form: FormOf<unknown>): Parts {
  const { type, properties, required } = form["~standard"].jsonSchema.input({ target: "draft-2020-12" });
  if (type !== "object" || !isJsonObject(properties)) throw wrong("a form is a schema of", type, "one object");
  return { properties, required: Array.isArray(required) ? required : [] };
}

function fieldParts(form: FormFields): Parts {
  const required = Object.entries(form).filter(([, field]) => field.optional !== true);
  return { properties: form, required: required.map(([name]) => name) };
}

function readField(name: string, field: unknown): JsonObject {
  if (secret.test(name.replace(/[^a-z]/gi, "").toLowerCase())) {
    throw wrong("a form must not ask for secrets, and has", name, "a page, as in call.elicit(key, message, { url })");
  }
  const shape: JsonObject = isJsonObject(field) ? field : {};
  if (!(types.includes(shape["type"]) || isChoices(shape))) {
    const right = "a string, number, integer, boolean, or an array of choices: a form is flat";
    throw wrong(`the type of the field "${name}" is`, shape["type"], right);
  }
  const kept = Object.entries(shape).filter(
    ([member, value]) =>
      value !== undefined && (members.includes(member) || (member === "format" && formats.includes(value))),
  );
  return Object.fromEntries(kept);
}

function isChoices({ type, items }: JsonObject): boolean {
  return type === "array" && isJsonObject(items) && (Array.isArray(items["enum"]) || Array.isArray(items["anyOf"]));
}

/** What was read field by field has the shape of a form. */
function checked(fields: Record<string, unknown>): FormSchema["properties"] {
  return fields as FormSchema["properties"];
}

function wrong(what: string, value: unknown, right: string): LocalError {
  return new LocalError("INVALID_ARGUMENT", `${what} ${JSON.stringify(value)}, and should be ${right}`);
}
