import { type JsonObject, RpcError, rpcCodes } from "@parlance/jsonrpc";
import { isJsonObject } from "../json-object.js";
import type { ServedSession } from "../served.js";
import { ageOf } from "./revision.js";
import { inside, without } from "./strip.js";

/**
 * Members that a revision with rich questions added to them.
 */
export const richFields: Readonly<
  Record<"SamplingMessage" | "elicitation/create" | "sampling/createMessage", readonly string[]>
> = {
  SamplingMessage: ["_meta"],
  "elicitation/create": ["mode", "url", "elicitationId", "task"],
  "sampling/createMessage": ["tools", "toolChoice", "task"],
};

type PutIn = Pick<ServedSession, "version" | "downgrade">;

/**
 * Puts the parameters of a question as a session's revision has them.
 */
export function putQuestion(method: string, params: JsonObject, { version, downgrade }: PutIn): JsonObject {
  const rich = ageOf(version) === 0;
  if (method === "elicitation/create") {
    const put = rich ? withElicitationId(params) : without(richFields[method])(params);
    return inside("requestedSchema", (schema) => {
      const known = downgrade("SchemaRoot", schema);
      return rich ? known : inside("properties", (fields) => plainFields(fields, version))(known);
    })(put);
  }
  if (method !== "sampling/createMessage") {
    return params;
  }
  const put = rich ? params : without(richFields[method])(splitMessages(params));
  const bare = without(rich ? [] : richFields.SamplingMessage);
  const content = inside("content", (block) => downgrade("ContentBlock", block));
  return inside("messages", (message) => content(bare(message)))(put);
}

/**
 * Fields as 2025-06-18 has them: titled choices beside their names, and a default for yes or no alone.
 * @throws RpcError −32600 for a list of choices, which it has not
 */
function plainFields(fields: JsonObject, version: string): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      isJsonObject(field) ? plainField(name, field, version) : field,
    ]),
  );
}

function plainField(name: string, field: JsonObject, version: string): JsonObject {
  if (field["type"] === "array") {
    const message = `"${name}" asks for several choices, which revision ${version} does not have; 2025-11-25 does`;
    throw new RpcError(rpcCodes.invalidRequest, message);
  }
  const { default: filledIn, oneOf, ...plain } = field;
  const choices: readonly unknown[] | undefined = Array.isArray(oneOf) ? oneOf : undefined;
  const titled = choices?.filter(isJsonObject);
  return {
    ...plain,
    ...(titled && {
      enum: titled.map((choice) => choice["const"]),
      enumNames: titled.map((choice) => choice["title"]),
    }),
    ...(field["type"] === "boolean" && filledIn !== undefined && { default: filledIn }),
  };
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
