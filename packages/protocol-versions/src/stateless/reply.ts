import { type JsonObject, LocalError } from "@parlance/jsonrpc";
import { excerpt } from "@parlance/jsonrpc/codec";
import type { CallResult, ClientSelf } from "../era.js";
import { isJsonObject } from "../json-object.js";
import { askingMethods, type InputRequests } from "../model/input.js";

/**
 * Reads what kind of result a server gave. An absent type means `complete`.
 * @param extended the types that announced extensions add, with the methods that may be answered so
 * @throws LocalError `BAD_REPLY` for a type that nobody announced, or not for this method, and for a question that is none
 * @see MCP 2026-07-28, basic, responses; basic/patterns/mrtr
 */
export function readReply(method: string, result: JsonObject, extended: ClientSelf["resultTypes"] = {}): CallResult {
  const resultType = result["resultType"];
  if (resultType === undefined || resultType === "complete") return { type: "complete", result };
  if (resultType === "input_required") return readQuestions(method, result);
  const known = Object.keys(extended).filter((type) => extended[type]?.includes(method));
  if (typeof resultType === "string" && known.includes(resultType)) return { type: "extended", resultType, result };
  const types = ["complete", "input_required", ...known].join(", ");
  throw badReply(method, `a result of type ${excerpt(resultType)}; known types are ${types}`);
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
