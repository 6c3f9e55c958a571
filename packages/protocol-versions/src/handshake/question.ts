import type { JsonObject } from "@parlance/jsonrpc";
import { isJsonObject } from "../json-object.js";
import type { RevisedFields } from "./differences.js";
import type { SpokenRevision } from "./state.js";
import { inside, without } from "./strip.js";

/**
 * Members that a revision with rich questions added to them.
 */
export const richFields: Required<
  Pick<RevisedFields, "SamplingMessage" | "elicitation/create" | "sampling/createMessage">
> = {
  SamplingMessage: ["_meta"],
  "elicitation/create": ["mode", "url", "elicitationId", "task"],
  "sampling/createMessage": ["tools", "toolChoice", "task"],
};

/**
 * Puts the parameters of a question as a session's revision has them.
 */
export function putQuestion(method: string, params: JsonObject, { revision, downgrade }: SpokenRevision): JsonObject {
  const rich = revision.richQuestions;
  if (method === "elicitation/create") {
    const put = rich ? withElicitationId(params) : without(richFields[method])(params);
    return inside("requestedSchema", (schema) => downgrade("SchemaRoot", schema))(put);
  }
  if (method !== "sampling/createMessage") {
    return params;
  }
  const put = rich ? params : without(richFields[method])(splitMessages(params));
  const bare = without(rich ? [] : richFields.SamplingMessage);
  const content = inside("content", (block) => downgrade("ContentBlock", block));
  return inside("messages", (message) => content(bare(message)))(put);
}

/** A message of several blocks becomes as many messages of one. */
function splitMessages(params: JsonObject): JsonObject {
  const { messages } = params;
  if (!Array.isArray(messages)) {
    return params;
  }
  const split = messages.flatMap((message: unknown) =>
    isJsonObject(message) && Array.isArray(message["content"])
      ? message["content"].map((content: unknown) => ({ ...message, content }))
      : [message],
  );
  return { ...params, messages: split };
}

/** The id is to tell later that the page was done; we never do, so any unused one will do. */
function withElicitationId(params: JsonObject): JsonObject {
  return params["mode"] !== "url" || params["elicitationId"] !== undefined
    ? params
    : { ...params, elicitationId: crypto.randomUUID() };
}
