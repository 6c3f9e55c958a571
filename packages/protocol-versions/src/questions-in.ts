import { type JsonObject, LocalError } from "@parlance/jsonrpc";
import type { InputRequired } from "./feature.js";
import { isJsonObject } from "./json-object.js";
import { askingMethods, type InputRequests } from "./model/input.js";

/**
 * What a result of type `input_required` asks.
 * @throws LocalError `BAD_REPLY` when it asks nothing, or its method may not
 * @see MCP 2026-07-28, basic/patterns/mrtr
 * @experimental
 */
export function questionsIn(method: string, result: JsonObject): InputRequired {
  const { inputRequests, requestState } = result;
  const isSome = inputRequests !== undefined || requestState !== undefined;
  if (isSome && isQuestions(inputRequests) && isState(requestState) && askingMethods.includes(method))
    return { type: "input_required", inputRequests, requestState };
  const what = askingMethods.includes(method) ? "a question that is none" : "a question, which it may not ask";
  throw new LocalError("BAD_REPLY", `${method} was answered with ${what}`, { details: { method } });
}

function isQuestions(value: unknown): value is InputRequests | undefined {
  if (value === undefined) return true;
  return (
    isJsonObject(value) && Object.values(value).every((one) => isJsonObject(one) && typeof one["method"] === "string")
  );
}

function isState(value: unknown): value is string | undefined {
  return value === undefined || typeof value === "string";
}
