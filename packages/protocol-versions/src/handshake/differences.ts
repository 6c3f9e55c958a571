/**
 * What the types of the era are made of, as far as its revisions differ: members by the results of methods, and by types.
 * `:` says of which type a member holds one or several values. `@n` says that only the newest n revisions have it: `@0`
 * came after this era.
 */
export const types: ReadonlyMap<string, string> = /* @__PURE__ */ new Map(
  /* @__PURE__ */ Object.entries({
    Result: "resultType@0 ttlMs@0 cacheScope@0",
    "tools/list": "tools:Tool",
    "tools/call": "content:ContentBlock structuredContent@2",
    "prompts/list": "prompts:Prompt",
    "prompts/get": "messages:PromptMessage",
    "resources/list": "resources:Resource",
    "resources/templates/list": "resourceTemplates:Resource",
    "resources/read": "contents:ResourceContents",
    Tool: "inputSchema:SchemaRoot outputSchema:SchemaRoot@2 title@2 annotations@3 icons@1 execution@1 _meta@2",
    SchemaRoot: "$schema@1",
    Prompt: "arguments:PromptArgument title@2 icons@1 _meta@2",
    PromptArgument: "title@2",
    PromptMessage: "content:ContentBlock",
    Resource: "annotations:Annotations title@2 icons@1 _meta@2",
    ResourceContents: "_meta@2",
    ContentBlock: "resource:ResourceContents annotations:Annotations icons@1 _meta@2",
    Annotations: "lastModified@2",
    Implementation: "title@2 description@1 icons@1 websiteUrl@1",
    ServerCapabilities: "tasks@1 completions@3",
    ProgressNotificationParams: "message@3",
  }),
);

/** In how many revisions, the newest, there are the blocks that came later than the era. */
export const laterBlocks: ReadonlyMap<unknown, number> = /* @__PURE__ */ new Map([
  ["resource_link", 2],
  ["audio", 3],
]);
