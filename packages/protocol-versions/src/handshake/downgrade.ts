import type { JsonObject } from "@parlance/jsonrpc";
import { isJsonObject } from "../json-object.js";
import { memo } from "../memo.js";
import type { SessionRevision } from "./differences.js";
import { inside, type Strip, without } from "./strip.js";

/**
 * Takes a value of a type, or the result of a method, down to a revision.
 * @see MCP 2025-11-25, basic/lifecycle, operation
 */
export type Downgrade = (type: string, value: JsonObject) => JsonObject;

/** Which members hold values of which type, one or an array of them. */
const members: ReadonlyMap<string, Readonly<Record<string, string>>> = /* @__PURE__ */ new Map(
  /* @__PURE__ */ Object.entries({
    "tools/list": { tools: "Tool" },
    "tools/call": { content: "ContentBlock" },
    "prompts/list": { prompts: "Prompt" },
    "prompts/get": { messages: "PromptMessage" },
    "resources/list": { resources: "Resource" },
    "resources/templates/list": { resourceTemplates: "ResourceTemplate" },
    "resources/read": { contents: "ResourceContents" },
    Tool: { inputSchema: "SchemaRoot", outputSchema: "SchemaRoot" },
    Prompt: { arguments: "PromptArgument" },
    PromptMessage: { content: "ContentBlock" },
    ContentBlock: { resource: "ResourceContents", annotations: "Annotations" },
    Resource: { annotations: "Annotations" },
    ResourceTemplate: { annotations: "Annotations" },
  }),
);

/**
 * Prepares to speak a revision. What there is to do for a type is found out once.
 */
export function createDowngrade({ laterFields, laterBlocks }: SessionRevision): Downgrade {
  const later = new Map(Object.entries(laterFields));
  const compiled = new Map<string, readonly Strip[]>();
  const reshape = new Map<string, Strip>([
    // An `outputSchema` whose root is not an object cannot be told to a session that knows objects only.
    ["Tool", withoutUnless("outputSchema", (schema) => isJsonObject(schema) && schema["type"] === "object")],
    // The text block that goes with structured content stays.
    ["tools/call", withoutUnless("structuredContent", isJsonObject)],
  ]);
  if (laterBlocks.length > 0) reshape.set("ContentBlock", (block) => blockAsText(block, laterBlocks));

  function stripsOf(type: string): readonly Strip[] {
    return memo(compiled, type, () => {
      const names = later.get(type);
      return [
        reshape.get(type),
        names && without(names),
        ...Object.entries(members.get(type) ?? {})
          .filter(([, inner]) => stripsOf(inner).length > 0)
          .map(([name, inner]) => inside(name, (value) => downgrade(inner, value))),
      ].filter((strip) => strip !== undefined);
    });
  }

  function downgrade(type: string, value: JsonObject): JsonObject {
    return stripsOf(type).reduce((stripped, strip) => strip(stripped), value);
  }
  return downgrade;
}

function withoutUnless(name: string, fits: (value: unknown) => boolean): Strip {
  const strip = without([name]);
  return (value) => (fits(value[name]) ? value : strip(value));
}

function blockAsText(block: JsonObject, later: readonly string[]): JsonObject {
  const { type, annotations, title, name, uri, mimeType } = block;
  if (typeof type !== "string" || !later.includes(type)) {
    return block;
  }
  const kind = `[${texts(type.replaceAll("_", " "), mimeType).join(", ")}]`;
  const text = [kind, texts(title ?? name, uri).join(": ")].join(" ").trimEnd();
  return { type: "text", text, ...(annotations !== undefined && { annotations }) };
}

function texts(...parts: readonly unknown[]): readonly unknown[] {
  return parts.filter((part) => typeof part === "string");
}
