import { type JsonObject, LocalError, RpcError, rpcCodes } from "@parlance/jsonrpc";
import {
  type AskedPage,
  type Asking,
  answerFault,
  type Checked,
  type Elicited,
  type ElicitResult,
  type FormFields,
  type FormOf,
  type ListRootsResult,
  samplingFault,
} from "@parlance/protocol-versions";
import { formSchema, isSchema } from "./form.js";

/**
 * How a question gets its answer.
 * @experimental
 */
export interface Answering {
  /** Gives the answer once it is there: to a caller that is asked in rounds, by running the feature again. */
  answer(key: string, method: string, params: JsonObject): Promise<JsonObject>;
  /** Gives the user time to be done with a page that was visited; what it throws puts the call off. */
  wait(done: (signal: AbortSignal) => Promise<unknown>): Promise<void>;
}

/**
 * The ways to ask, over one way to get an answer. Whoever runs features in another way than in rounds, as tasks do, gives
 * them their own.
 * @experimental
 */
export function createAsking({ answer, wait }: Answering): Omit<Asking, "once"> {
  /** @throws RpcError −32602 for an answer that does not fit */
  async function ask<T>(key: string, method: string, params: JsonObject): Promise<T> {
    const answered = await answer(key, method, params);
    const fault = answerFault(method, params, answered);
    // what has no fault is what such a question asks for
    if (fault === undefined) return answered as T;
    throw unfit(key, fault);
  }

  async function put(
    key: string,
    message: string,
    asked: AskedPage | FormFields | FormOf<unknown>,
  ): Promise<Elicited<unknown>> {
    if (isPage(asked)) {
      const page = { mode: "url", message, url: readUrl(asked.url) };
      const { action } = await ask<ElicitResult>(key, "elicitation/create", page);
      if (action === "accept" && asked.done !== undefined) await wait(asked.done);
      return action === "accept" ? { action, content: undefined } : { action };
    }
    const params = { mode: "form", message, requestedSchema: formSchema(asked) };
    const { action, content } = await ask<ElicitResult>(key, "elicitation/create", params);
    if (action !== "accept") return { action };
    return { action, content: isSchema(asked) ? await validated(key, asked, content) : content };
  }

  function elicit(key: string, message: string, page: AskedPage): Promise<Pick<ElicitResult, "action">>;
  function elicit<T>(key: string, message: string, form: FormFields | FormOf<T>): Promise<Elicited<T>>;
  function elicit(
    key: string,
    message: string,
    asked: AskedPage | FormFields | FormOf<unknown>,
  ): Promise<Elicited<unknown>> {
    return handled(put(key, message, asked));
  }

  return {
    elicit,
    sample: (key, request) => {
      const fault = samplingFault(request);
      if (fault !== undefined) throw new LocalError("INVALID_ARGUMENT", `in the question "${key}", ${fault}`);
      return handled(ask(key, "sampling/createMessage", request));
    },
    roots: (key) => handled(ask<ListRootsResult>(key, "roots/list", {}).then(({ roots }) => roots)),
  };
}

/** A question that nobody waits for yet when its round ends is no error that nobody handled. */
export function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

async function validated(key: string, form: FormOf<unknown>, content: unknown): Promise<unknown> {
  const result: Checked<unknown> = await form["~standard"].validate(content);
  if (result.issues === undefined) return result.value;
  throw unfit(key, `does not fit the form: ${result.issues.map(({ message }) => message).join("; ")}`);
}

/** Declining and cancelling are answers; this is none. */
function unfit(key: string, fault: string): RpcError {
  return new RpcError(rpcCodes.invalidParams, `the answer to "${key}" ${fault}`);
}

function isPage(asked: AskedPage | FormFields | FormOf<unknown>): asked is AskedPage {
  return typeof asked["url" as never] === "string";
}

/** @see MCP 2026-07-28, client/elicitation, safe URL handling */
function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname))) return text;
  const right = "an https: URL, or an http: one on this machine";
  throw new LocalError("INVALID_ARGUMENT", `the page is ${JSON.stringify(text)}, and should be ${right}`);
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || /^127(?:\.\d+){3}$/.test(host);
}
