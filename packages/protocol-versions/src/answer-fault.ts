import type { JsonObject } from "@parlance/jsonrpc";
import { isMessage } from "./dialogue.js";
import { formFaults } from "./form.js";
import { isJsonObject } from "./json-object.js";
import type { FormSchema } from "./model/elicitation.js";

const actions: readonly unknown[] = ["accept", "decline", "cancel"];

/**
 * What is wrong with an answer to a question, as a sentence goes on; `undefined` when it fits what was asked.
 * @param method of the question: `elicitation/create`, `sampling/createMessage` or `roots/list`
 * @see MCP 2026-07-28, basic/patterns/mrtr; client/elicitation; client/sampling; client/roots
 * @stable
 */
export function answerFault(method: string, params: JsonObject, answer: JsonObject): string | undefined {
  switch (method) {
    case "elicitation/create":
      return elicitFault(params, answer);
    case "sampling/createMessage":
      return typeof answer["model"] === "string" && isMessage(answer)
        ? undefined
        : "should have a role, content and the name of the model";
    default:
      return Array.isArray(answer["roots"]) && answer["roots"].every(isRoot)
        ? undefined
        : "should have roots, each with a uri that starts with file://";
  }
}

function elicitFault({ requestedSchema }: JsonObject, { action, content }: JsonObject): string | undefined {
  if (!actions.includes(action)) return "should have an action: accept, decline or cancel";
  if (action !== "accept" || !isForm(requestedSchema)) return undefined;
  const faults = formFaults(requestedSchema, content);
  return faults.length === 0 ? undefined : `does not fit the form: ${faults.slice(0, 10).join("; ")}`;
}

function isForm(value: unknown): value is FormSchema {
  return isJsonObject(value) && isJsonObject(value["properties"]);
}

function isRoot(value: unknown): boolean {
  return isJsonObject(value) && typeof value["uri"] === "string" && value["uri"].startsWith("file://");
}
