import { type JsonObject, LocalError } from "@parlance/jsonrpc";
import type { CallResult } from "../era.js";
import { isJsonObject } from "../json-object.js";
import type { InputRequests } from "../model/input.js";

const askingMethods: readonly string[] = ["tools/call", "prompts/get", "resources/read"];

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
  throw badReply(method, `a result of type ${JSON.stringify(resultType)}; known types are ${known}`);
}

function readQuestions(method: string, result: JsonObject): CallResult {
  const { inputRequests, requestState } = result;
  if (!askingMethods.includes(method)) throw badReply(method, "a question, which this method may not ask");
  if (inputRequests === undefined && requestState === undefined) {
    throw badReply(method, "input_required without inputRequests or requestState");
  }
  if (requestState !== undefined && typeof requestState !== "string") {
    throw badReply(method, "a requestState that is no string");
  }
  if (inputRequests !== undefined && !isQuestions(inputRequests)) {
    throw badReply(method, "inputRequests that are not requests by key");
  }
  return { type: "input_required", inputRequests, requestState };
}

function isQuestions(value: unknown): value is InputRequests {
  return (
    isJsonObject(value) && Object.values(value).every((one) => isJsonObject(one) && typeof one["method"] === "string")
  );
}

function badReply(method: string, what: string): LocalError {
  return new LocalError("BAD_REPLY", `${method} was answered with ${what}`, { details: { method } });
}
