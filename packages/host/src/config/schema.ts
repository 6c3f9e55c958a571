import type { JsonObject } from "@parlance/jsonrpc";

const text: JsonObject = { type: "string" };
const filled: JsonObject = { type: "string", minLength: 1 };
const texts: JsonObject = { type: "object", additionalProperties: text };
const names: JsonObject = { type: "array", items: text };
const ms: JsonObject = { type: "number", minimum: 0 };

/** What each key of a server is for stands in the documentation of `ServerEntry`; here it is one line for an editor. */
const entryKeys: Readonly<Record<string, JsonObject>> = {
  enabled: { type: "boolean", description: "false: the server is left out" },
  transport: {
    enum: ["stdio", "http", "http+sse"],
    description:
      "Default: stdio with a command, http with a url. http+sse also takes servers that know only the transport of 2024",
  },
  command: { ...filled, description: "The program: a name on PATH, or a path; no shell comes in between" },
  args: { ...names, description: "Its arguments, passed on as they are" },
  env: { ...texts, description: "Variables over the safe ones that it inherits; credentials go here, as ${VAR}" },
  cwd: { ...filled, description: "Its working folder" },
  url: { ...filled, description: "Where a server over HTTP is" },
  headers: { ...texts, description: "Sent with every request" },
  era: { enum: ["stateless", "handshake"], description: "Default: whichever it speaks, the newest first" },
  prefix: { ...text, description: "Put before the names of its tools" },
  rename: { ...texts, description: "Names for single tools, by the name that the server gives" },
  tools: {
    type: "object",
    properties: { allow: names, deny: names },
    additionalProperties: false,
    description: "Which of its tools are taken, by the name that the server gives; deny wins",
  },
  changedTools: {
    enum: ["report", "refuse"],
    description: "What becomes of a tool whose definition is no longer what it was",
  },
  lazy: { type: "boolean", description: "true: it runs only while it is called" },
  idleMs: { ...ms, description: "How long nothing calls it before it is ended; the next call starts it again" },
  deadlineMs: { ...ms, description: "How long it may take to start and to list its tools" },
  timeoutMs: { ...ms, description: "How long a call waits for an answer" },
  restart: {
    description: "How it is started again when it ended; false: not at all",
    if: { type: "object" },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: {
      properties: { maxTries: { type: "integer", minimum: 0 }, delayMs: ms, maxDelayMs: ms },
      additionalProperties: false,
    },
    else: { const: false },
  },
};

/** The keys of a server. */
export const entryNames: readonly string[] = /* @__PURE__ */ Object.keys(entryKeys);

const entry: JsonObject = {
  type: "object",
  properties: entryKeys,
  additionalProperties: false,
};

/** Other programs put keys of their own beside those that all of them know. */
const foreignEntry: JsonObject = {
  type: "object",
  properties: {
    ...entryKeys,
    type: { ...text, description: "The same as transport" },
    disabled: { type: "boolean", description: "true: the server is left out" },
  },
};

/**
 * The JSON Schema of a configuration, for editors and for checks of your own. The file `config.schema.json` of this package
 * is the same.
 * @stable
 */
export const configSchema: JsonObject = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "MCP servers of a host",
  type: "object",
  properties: {
    $schema: text,
    enabled: { type: "boolean", description: "false: no server is started" },
    servers: { type: "object", additionalProperties: entry, description: "The servers, by the id that each has here" },
    mcpServers: {
      type: "object",
      additionalProperties: foreignEntry,
      description: "The same, as other programs write it: keys that nobody knows are passed over",
    },
    server: {
      type: "object",
      properties: { name: filled, version: filled },
      additionalProperties: false,
      description: "Who the host says it is",
    },
  },
};
