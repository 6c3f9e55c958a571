import { type JsonObject, KINDS } from "./json.js";

/** Stands for a subschema: each is looked at apart, in its dialect. */
export const SCHEMA: JsonObject = { type: ["object", "boolean"] };

export const LIST: JsonObject = { type: "array" };

export const mapOf = (values: JsonObject): JsonObject => ({ type: "object", additionalProperties: values });

/** What it is when it is a list, and when it is not. Says more of a fault than `anyOf` would. */
export const listOr = (list: JsonObject, other: JsonObject): JsonObject => {
  // biome-ignore lint/suspicious/noThenProperty: the name of the keyword
  return { if: LIST, then: list, else: other };
};

export const ANY: JsonObject = {};
export const FLAG: JsonObject = { type: "boolean" };
export const TEXT: JsonObject = { type: "string" };
export const NUMBER: JsonObject = { type: "number" };
export const COUNT: JsonObject = { type: "integer", minimum: 0 };
export const NAMES: JsonObject = { ...LIST, items: TEXT, uniqueItems: true };
export const NAME: JsonObject = { ...TEXT, pattern: "^[^\\W\\d][\\w.-]*$" };
export const SCHEMAS: JsonObject = { ...LIST, minItems: 1, items: SCHEMA };
export const MAP: JsonObject = /* @__PURE__ */ mapOf(SCHEMA);
const KIND: JsonObject = { enum: /* @__PURE__ */ Object.keys(KINDS) };
export const TYPE: JsonObject = /* @__PURE__ */ listOr({ items: KIND, minItems: 1, uniqueItems: true }, KIND);
