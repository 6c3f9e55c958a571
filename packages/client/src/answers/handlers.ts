import type { JsonObject } from "@parlance/jsonrpc";
import type {
  CreateMessageParams,
  CreateMessageResult,
  ElicitResult,
  FormSchema,
  Implementation,
  Root,
} from "@parlance/protocol-versions";
import type { PageQuestion } from "./page.js";

/**
 * Who asks, and until when. Show it: a user must know which server it is.
 * @stable
 */
export interface Asker {
  /** What this program calls the server: the `name` given to `answers`. */
  readonly name: string | undefined;
  /** Who the server says it is: for people to read, never to decide by. */
  readonly server: Implementation | undefined;
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/**
 * A form to fill in.
 * @see MCP 2026-07-28, client/elicitation, form mode
 * @stable
 */
export interface FormQuestion {
  readonly message: string;
  /** The fields, in all the forms that revisions have for choices. */
  readonly schema: FormSchema;
  /** What the form is filled in with to begin with. */
  readonly defaults: JsonObject;
}

/**
 * What the user did with a form. What `content` leaves out, or has as `undefined`, is filled in from the defaults; it is
 * checked before it is sent.
 * @stable
 */
export type FormAnswer =
  | {
      readonly action: "accept";
      readonly content?:
        | { readonly [name: string]: string | number | boolean | readonly string[] | undefined }
        | undefined;
    }
  | { readonly action: "decline" | "cancel" };

/**
 * What a program can answer. What has a handler is announced, and nothing else.
 * @stable
 */
export interface AnswerHandlers {
  /** Has the user fill in a form. */
  readonly form?: ((question: FormQuestion, asker: Asker) => FormAnswer | Promise<FormAnswer>) | undefined;
  /**
   * Shows the user the whole URL with its host and warnings, and opens it in their browser if they agree: `"accept"`.
   * Nothing is fetched before. Without consent: `"decline"`, or `"cancel"` when they did not say.
   */
  readonly url?:
    | ((page: PageQuestion, asker: Asker) => ElicitResult["action"] | Promise<ElicitResult["action"]>)
    | undefined;
  /** Has a model say something, if the user lets it; `undefined`: they do not. */
  readonly sample?:
    | ((
        request: CreateMessageParams,
        asker: Asker,
      ) => CreateMessageResult | undefined | Promise<CreateMessageResult | undefined>)
    | undefined;
  /** What `sample` can do besides: use tools, include context of servers. Default: neither. */
  readonly sampling?: { readonly tools?: boolean | undefined; readonly context?: boolean | undefined } | undefined;
  /** Where servers may work, as `file:` URIs: a list, or what gives it anew each time. After a change call `rootsChanged`. */
  readonly roots?: readonly Root[] | ((asker: Asker) => readonly Root[] | Promise<readonly Root[]>) | undefined;
}
