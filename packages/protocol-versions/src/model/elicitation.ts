import type { JsonObject } from "@parlance/jsonrpc";

/**
 * A field of a form. `oneOf`, `array` and most defaults travel from 2025-11-25.
 * @see MCP 2026-07-28, schema, PrimitiveSchemaDefinition
 * @stable
 */
export type FormField = StringField | NumberField | BooleanField | ChoiceField | ChoicesField;

type Labelled = { readonly title?: string | undefined; readonly description?: string | undefined };

/** A text. @stable */
export type StringField = Labelled & {
  readonly type: "string";
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly format?: "email" | "uri" | "date" | "date-time" | undefined;
  readonly default?: string | undefined;
};

/** A number. @stable */
export type NumberField = Labelled & {
  readonly type: "number" | "integer";
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly default?: number | undefined;
};

/** A yes or no. @stable */
export type BooleanField = Labelled & { readonly type: "boolean"; readonly default?: boolean | undefined };

/** A value with the words shown for it. @stable */
export type TitledChoice = { readonly const: string; readonly title: string };

/** One of several texts. `enumNames` is how revisions before 2025-11-25 title them. @stable */
export type ChoiceField = Labelled & { readonly type: "string"; readonly default?: string | undefined } & (
    | { readonly enum: readonly string[]; readonly enumNames?: readonly string[] | undefined }
    | { readonly oneOf: readonly TitledChoice[] }
  );

/** Some of several texts. @stable */
export type ChoicesField = Labelled & {
  readonly type: "array";
  readonly items:
    | { readonly type: "string"; readonly enum: readonly string[] }
    | { readonly anyOf: readonly TitledChoice[] };
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
  readonly default?: readonly string[] | undefined;
};

/**
 * What a form asks for: one flat object.
 * @see MCP 2026-07-28, schema, ElicitRequestFormParams
 * @stable
 */
export type FormSchema = {
  readonly $schema?: string | undefined;
  readonly type: "object";
  readonly properties: { readonly [name: string]: FormField };
  readonly required?: readonly string[] | undefined;
};

/**
 * The parameters of `elicitation/create` (2025-06-18 on): a form, or from 2025-11-25 a page to visit.
 * @see MCP 2026-07-28, schema, ElicitRequestParams
 * @stable
 */
export type ElicitParams =
  | { readonly mode?: "form" | undefined; readonly message: string; readonly requestedSchema: FormSchema }
  | {
      readonly mode: "url";
      readonly message: string;
      readonly url: string;
      /** Travels under 2025-11-25 alone. */
      readonly elicitationId?: string | undefined;
    };

/**
 * The answer to `elicitation/create`.
 * @see MCP 2026-07-28, schema, ElicitResult
 * @stable
 */
export type ElicitResult = {
  readonly action: "accept" | "decline" | "cancel";
  readonly content?: { readonly [name: string]: string | number | boolean | readonly string[] } | undefined;
  readonly _meta?: JsonObject | undefined;
};
