import type { JsonObject } from "@parlance/jsonrpc";
import type { FormField } from "./model/elicitation.js";
import type { Root } from "./model/root.js";
import type { CreateMessageParams, CreateMessageResult } from "./model/sampling.js";

/**
 * The fields of a form by name. A field must be filled in unless it is `optional`, which does not travel.
 * @stable
 */
export type FormFields = { readonly [name: string]: FormField & { readonly optional?: true | undefined } };

/** What one field of a form comes to. @stable */
export type FieldValue<F> = F extends { readonly type: "boolean" }
  ? boolean
  : F extends { readonly type: "number" | "integer" }
    ? number
    : F extends { readonly type: "array"; readonly items: infer Items }
      ? readonly (
          | (Items extends { readonly enum: readonly (infer Choice)[] } ? Choice : never)
          | (Items extends { readonly anyOf: readonly { readonly const: infer Choice }[] } ? Choice : never)
        )[]
      : F extends { readonly enum: readonly (infer Choice)[] }
        ? Choice
        : F extends { readonly oneOf: readonly { readonly const: infer Choice }[] }
          ? Choice
          : string;

/** What a form comes to. @stable */
export type FormValues<F> = {
  readonly [Name in keyof F as F[Name] extends { readonly optional: true } ? never : Name]: FieldValue<F[Name]>;
} & {
  readonly [Name in keyof F as F[Name] extends { readonly optional: true } ? Name : never]?: FieldValue<F[Name]>;
};

/**
 * A schema of any library that can be a form: it validates by Standard Schema and gives JSON Schema, of one flat object.
 * @see https://standardschema.dev
 * @stable
 */
export interface FormOf<T> {
  readonly "~standard": {
    readonly validate: (value: unknown) => Checked<T> | Promise<Checked<T>>;
    readonly types?: { readonly input: unknown; readonly output: T } | undefined;
    readonly jsonSchema: { readonly input: (options: { readonly target: "draft-2020-12" }) => JsonObject };
  };
}

/** What a schema made of a value. @stable */
export type Checked<T> =
  | { readonly value: T; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string }[] };

/**
 * A page for the user to visit: for whatever must not pass through the client, such as a password.
 * @see MCP 2026-07-28, client/elicitation, URL mode
 * @stable
 */
export interface AskedPage {
  /** `https:`, or `http:` on the machine itself. Without secrets in it, and good for this user only. */
  readonly url: string;
  /**
   * Settles when the user is done there; the caller may come back long before. Asked once more in each round until it
   * has. Default: the user's consent is enough.
   */
  readonly done?: ((signal: AbortSignal) => Promise<unknown>) | undefined;
}

/** What the user did with a form. An answer that does not fit what was asked is none: the call is refused. @stable */
export type Elicited<T> =
  | { readonly action: "accept"; readonly content: T }
  | { readonly action: "decline" | "cancel"; readonly content?: undefined };

/**
 * How a feature asks the caller, in every revision alike. The feature is run again for each round of answers, up to the
 * question that has none yet: what must not be done twice goes into `once`. Questions asked together (`Promise.all`) go
 * out together. A key names a question within its call, and is the same in every round.
 * @throws RpcError −32602 for an answer that does not fit; LocalError `UNSUPPORTED` without `questions()` in `features`,
 * `INVALID_ARGUMENT` for a question that may not be asked
 * @see MCP 2026-07-28, basic/patterns/mrtr
 * @stable
 */
export interface Asking {
  /** Sends the user to a page, if they agree to go. */
  elicit(key: string, message: string, page: AskedPage): Promise<{ readonly action: "accept" | "decline" | "cancel" }>;
  /** Has the user fill in a form, described by a schema of any library. */
  elicit<T>(key: string, message: string, form: FormOf<T>): Promise<Elicited<T>>;
  /** Has the user fill in a form, described by its fields. */
  elicit<const F extends FormFields>(key: string, message: string, fields: F): Promise<Elicited<FormValues<F>>>;
  /** Has the caller's model say something. */
  sample(key: string, request: CreateMessageParams): Promise<CreateMessageResult>;
  /** Asks where the caller lets the server work. */
  roots(key: string): Promise<readonly Root[]>;
  /** Runs `work` a single time over all rounds of the call. What it gives is kept as JSON. */
  once<T>(key: string, work: () => T | Promise<T>): Promise<T>;
}
