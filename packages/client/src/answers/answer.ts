import { type JsonObject, RpcError, rpcCodes } from "@parlance/jsonrpc";
import {
  answerFault,
  type ClientCapabilities,
  type CreateMessageParams,
  type FormSchema,
  formDefaults,
  isJsonObject,
  samplingFault,
} from "@parlance/protocol-versions";
import type { AnswerHandlers, Asker } from "./handlers.js";
import { inspectUrl } from "./page.js";

/** What handlers let a client announce. */
export function capabilitiesOf({ form, url, sample, sampling = {}, roots }: AnswerHandlers): ClientCapabilities {
  return {
    ...((form ?? url) && { elicitation: { ...(form && { form: {} }), ...(url && { url: {} }) } }),
    ...(sample && {
      sampling: { ...(sampling.tools && { tools: {} }), ...(sampling.context && { context: {} }) },
    }),
    ...(roots && { roots: {} }),
  };
}

/**
 * Answers one question.
 * @throws RpcError −32601 for what has no handler, −32602 for what is none, −1 for what the user refused, −32603 for an answer
 * that does not fit; and whatever the handler throws
 */
export async function answerOne(
  handlers: AnswerHandlers,
  method: string,
  params: JsonObject,
  asker: Asker,
): Promise<JsonObject> {
  const answer = await handle(handlers, method, params, asker);
  const fault = answerFault(method, params, answer);
  if (fault === undefined) return answer;
  throw new RpcError(rpcCodes.internalError, `the answer to ${method} ${fault}`);
}

function handle(
  handlers: AnswerHandlers,
  method: string,
  params: JsonObject,
  asker: Asker,
): JsonObject | Promise<JsonObject> {
  const { form, url, sample, roots } = handlers;
  if (method === "elicitation/create" && (form ?? url) !== undefined) {
    return params["mode"] === "url" ? visit(url, params, asker) : fillIn(form, params, asker);
  }
  if (method === "sampling/createMessage" && sample !== undefined) return say(handlers, params, asker);
  if (method === "roots/list" && roots !== undefined) return list(roots, asker);
  throw new RpcError(rpcCodes.methodNotFound, `this client does not answer ${method}`);
}

async function fillIn(form: AnswerHandlers["form"], params: JsonObject, asker: Asker): Promise<JsonObject> {
  const { mode = "form", message, requestedSchema: schema } = params;
  if (form === undefined || mode !== "form") throw undeclared(`elicitation in the mode ${JSON.stringify(mode)}`);
  if (typeof message !== "string" || !isForm(schema)) throw invalid("a form should have a message and fields");
  const defaults = formDefaults(schema);
  const answer = await form({ message, schema, defaults }, asker);
  if (answer.action !== "accept") return { action: answer.action };
  const filledIn = Object.entries(answer.content ?? {}).filter(([, value]) => value !== undefined);
  return { action: "accept", content: { ...defaults, ...Object.fromEntries(filledIn) } };
}

async function visit(url: AnswerHandlers["url"], params: JsonObject, asker: Asker): Promise<JsonObject> {
  const { message, url: text, elicitationId } = params;
  if (url === undefined) throw undeclared("elicitation in the mode url");
  const seen = typeof text === "string" ? inspectUrl(text) : undefined;
  if (typeof message !== "string" || seen === undefined)
    throw invalid("a page should have a message and an https: URL");
  const id = typeof elicitationId === "string" ? elicitationId : undefined;
  return { action: await url({ message, ...seen, elicitationId: id }, asker) };
}

async function say({ sample, sampling }: AnswerHandlers, params: JsonObject, asker: Asker): Promise<JsonObject> {
  if (!sampling?.tools && (params["tools"] ?? params["toolChoice"]) !== undefined)
    throw undeclared("sampling with tools");
  const fault = samplingFault(params);
  if (fault !== undefined) throw invalid(fault);
  const answer = isSamplingRequest(params) ? await sample?.(params, asker) : undefined;
  if (answer === undefined) throw new RpcError(-1, "User rejected sampling request");
  return answer;
}

/** It has no fault. */
function isSamplingRequest(params: JsonObject): params is CreateMessageParams {
  return Array.isArray(params["messages"]);
}

async function list(roots: NonNullable<AnswerHandlers["roots"]>, asker: Asker): Promise<JsonObject> {
  return { roots: typeof roots === "function" ? await roots(asker) : roots };
}

function isForm(value: unknown): value is FormSchema {
  if (!isJsonObject(value)) return false;
  const { properties, required } = value;
  const isList = required === undefined || Array.isArray(required);
  return isList && isJsonObject(properties) && Object.values(properties).every(isJsonObject);
}

function undeclared(what: string): RpcError {
  return invalid(`this client did not declare ${what}`);
}

function invalid(message: string): RpcError {
  return new RpcError(rpcCodes.invalidParams, message);
}
