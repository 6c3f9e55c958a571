import { type JsonObject, LocalError } from "@parlance/jsonrpc";
import { excerpt } from "@parlance/jsonrpc/codec";
import type { CallResult } from "../era.js";
import { isJsonObject } from "../json-object.js";
import { askingMethods, type InputRequests } from "../model/input.js";

/**
 * Reads what kind of result a server gave. An absent type means `complete`.
 * @param extended the types that announced extensions add
 * @throws LocalError `BAD_REPLY` for a type that nobody announced, and for a question that is none
 * @see MCP 2026-07-28, basic, responses; basic/patterns/mrtr
 */
export function readReply(method: string, result: JsonObject, extended: readonly string[]): CallResult {
  const resultType = result["resultType"];
  if (resultType === undefined || resultType === "complete") return { type: "complete", result };
  if (resultType === "input_required") return readQuestions(method, result);
  if (typeof resultType === "string" && extended.includes(resultType)) return { type: "extended", resultType, result };
  const known = ["complete", "input_required", ...extended].join(", ");
  throw badReply(method, `a result of type ${excerpt(resultType)}; known types are ${known}`);
}

function readQuestions(method: string, result: JsonObject): CallResult {
  const { inputRequests, requestState } = result;
  const some = inputRequests !== undefined || requestState !== undefined;
  const sound =
    (inputRequests === undefined || isQuestions(inputRequests)) &&
    (requestState === undefined || typeof requestState === "string");
  if (some && sound && askingMethods.includes(method)) return { type: "input_required", inputRequests, requestState };
  throw badReply(method, some && sound ? "a question, which it may not ask" : "a question that is none");
}

function isQuestions(value: unknown): value is InputRequests {
  return (
    isJsonObject(value) && Object.values(value).every((one) => isJsonObject(one) && typeof one["method"] === "string")
  );
}

function badReply(method: string, what: string): LocalError {
  return new LocalError("BAD_REPLY", `${method} was answered with ${what}`, { details: { method } });
}
