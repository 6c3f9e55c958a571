import type { JsonObject } from "@parlance/jsonrpc";
import { isJsonObject } from "../json-object.js";
import type { ProtocolRevision } from "../revision.js";
import { each, inTurn, member, type Strip, without } from "./strip.js";

/**
 * What is done to the values that are sent under one revision; `undefined` where nothing is.
 * @see MCP 2025-11-25, basic/lifecycle, operation
 */
export interface Downgrade {
  readonly implementation: Strip | undefined;
  readonly capabilities: Strip | undefined;
  /** By method of the request that is answered; `rest` for every other. */
  readonly results: ReadonlyMap<string, Strip>;
  readonly rest: Strip | undefined;
  /** By method of what the client is asked. */
  readonly questions: ReadonlyMap<string, Strip>;
  readonly progressMessages: boolean;
}

/**
 * Compiles the differences of a revision, once.
 */
export function compileDowngrade(revision: ProtocolRevision): Downgrade {
  const { laterFields: later } = revision;
  const annotated = inTurn(member("annotations", without(later.Annotations)));
  const contents = without(later.ResourceContents);
  const block = inTurn(
    blockAsText(revision.laterBlocks),
    without(later.ContentBlock),
    forType("resource_link", without(later.ResourceLink)),
    member("resource", contents),
    annotated,
  );
  const tool = inTurn(
    without(later.Tool),
    member("inputSchema", without(later.SchemaRoot)),
    member("outputSchema", without(later.SchemaRoot)),
    revision.structured === "any" ? undefined : withoutOpenOutput,
  );
  const rest = without(later.Result);
  const results: Record<string, Strip | undefined> = {
    "tools/list": each("tools", tool),
    "tools/call": inTurn(
      without(later.CallToolResult),
      revision.structured === "object" ? withoutOpenStructure : undefined,
      each("content", block),
    ),
    "prompts/list": each("prompts", inTurn(without(later.Prompt), each("arguments", without(later.PromptArgument)))),
    "prompts/get": each("messages", member("content", block)),
    "resources/list": each("resources", inTurn(without(later.Resource), annotated)),
    "resources/templates/list": each("resourceTemplates", inTurn(without(later.ResourceTemplate), annotated)),
    "resources/read": each("contents", contents),
  };
  const questions: Record<string, Strip | undefined> = {
    "sampling/createMessage": inTurn(
      without(later.CreateMessageRequestParams),
      revision.samplingArrays ? undefined : splitMessages,
      each("messages", inTurn(without(later.SamplingMessage), member("content", block))),
    ),
    "elicitation/create": inTurn(
      revision.elicitationIds ? withElicitationId : undefined,
      without(later.ElicitRequestParams),
      member("requestedSchema", without(later.SchemaRoot)),
    ),
  };
  return {
    implementation: without(later.Implementation),
    capabilities: without(later.ServerCapabilities),
    results: present(Object.entries(results).map(([method, strip]) => [method, inTurn(strip, rest)])),
    rest,
    questions: present(Object.entries(questions)),
    progressMessages: later.ProgressNotificationParams?.includes("message") !== true,
  };
}

function present(strips: readonly (readonly [string, Strip | undefined])[]): ReadonlyMap<string, Strip> {
  return new Map(strips.flatMap(([method, strip]) => (strip === undefined ? [] : [[method, strip] as const])));
}

function forType(type: string, strip: Strip | undefined): Strip | undefined {
  return strip && ((value) => (value["type"] === type ? strip(value) : value));
}

function blockAsText(later: readonly string[]): Strip | undefined {
  if (later.length === 0) {
    return undefined;
  }
  return (block) => {
    const { type, annotations } = block;
    if (typeof type !== "string" || !later.includes(type)) {
      return block;
    }
    return annotations === undefined
      ? { type: "text", text: describe(type, block) }
      : { type: "text", text: describe(type, block), annotations };
  };
}

function describe(type: string, block: JsonObject): string {
  const label = [block["title"] ?? block["name"], block["uri"]].filter((part) => typeof part === "string").join(": ");
  const kind = [type.replaceAll("_", " "), block["mimeType"]].filter((part) => typeof part === "string").join(", ");
  return label === "" ? `[${kind}]` : `[${kind}] ${label}`;
}

/** An `outputSchema` whose root is not an object cannot be told to a session that knows objects only. */
function withoutOpenOutput(tool: JsonObject): JsonObject {
  const { outputSchema } = tool;
  if (outputSchema === undefined || (isJsonObject(outputSchema) && outputSchema["type"] === "object")) {
    return tool;
  }
  const { outputSchema: _outputSchema, ...rest } = tool;
  return rest;
}

/** The text block that goes with structured content stays. */
function withoutOpenStructure(result: JsonObject): JsonObject {
  if (!("structuredContent" in result) || isJsonObject(result["structuredContent"])) {
    return result;
  }
  const { structuredContent: _structuredContent, ...rest } = result;
  return rest;
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

/** This revision alone wants an id to tell later that the page was done; we never do, so any unused one will do. */
function withElicitationId(params: JsonObject): JsonObject {
  return params["mode"] !== "url" || params["elicitationId"] !== undefined
    ? params
    : { ...params, elicitationId: crypto.randomUUID() };
}
