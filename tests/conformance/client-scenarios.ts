import {
  type AnswerHandlers,
  type Client,
  getPrompt,
  listPrompts,
  listResources,
  listTools,
  readResource,
} from "@parlance/client";

/** What a client does in one scenario of the suite; `context` is what the suite hands it. */
export type Play = (client: Client, context: unknown) => Promise<void>;

/** A user who takes every form as it is proposed, and a model that has one answer. */
export const answering: AnswerHandlers = {
  form: () => ({ action: "accept" }),
  sample: () => ({ role: "assistant", content: { type: "text", text: "An answer." }, model: "none" }),
  roots: () => [{ uri: "file:///", name: "Everything" }],
};

const listAndCall =
  (tool: string, args?: Readonly<Record<string, unknown>>): Play =>
  async (client) => {
    await listTools(client);
    await client.callTool(tool, args);
  };

const list: Play = async (client) => {
  await listTools(client);
};

/** Calls every tool of the list that the client shows. */
const callEach: Play = async (client) => {
  for (const { name } of await listTools(client)) await client.callTool(name, {});
};

/** Uses the first of everything that there is. */
const useFirst: Play = async (client) => {
  const [tool] = await listTools(client);
  if (tool !== undefined) await client.callTool(tool.name, {});
  const [resource] = await listResources(client);
  if (resource !== undefined) await readResource(client, resource.uri);
  const [prompt] = await listPrompts(client);
  if (prompt !== undefined) await getPrompt(client, prompt.name);
};

/** Sends back the schema as it was listed, for the suite to see what is left of it. */
const echoSchema: Play = async (client) => {
  const shown = (await listTools(client)).find(({ name }) => name === "json_schema_2020_12_tool");
  await client.callTool("json_schema_echo", { schema: shown?.inputSchema });
};

const callAsTold: Play = async (client, context) => {
  await listTools(client);
  for (const { name, arguments: args } of toolCalls(context)) await client.callTool(name, args);
};

interface ToolCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

function toolCalls(context: unknown): readonly ToolCall[] {
  return (context as { readonly toolCalls: readonly ToolCall[] }).toolCalls;
}

/** By the suite's names. */
export const scenarios: Readonly<Record<string, Play>> = {
  initialize: async () => {},
  tools_call: listAndCall("add_numbers", { a: 5, b: 3 }),
  "elicitation-sep1034-client-defaults": listAndCall("test_client_elicitation_defaults"),
  "sse-retry": listAndCall("test_reconnection"),
  "request-metadata": (client) => client.ping(),
  "sep-2322-client-request-state": callEach,
  "http-standard-headers": useFirst,
  "json-schema-2020-12-preservation": echoSchema,
  "json-schema-ref-no-deref": list,
  "http-custom-headers": callAsTold,
  "http-invalid-tool-headers": callEach,
};
