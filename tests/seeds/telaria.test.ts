import { jsonSchema } from "@parlance/json-schema";
import { defaults } from "@parlance/json-schema/defaults";
import { connect, memoryPair } from "@parlance/jsonrpc";
import { createServer, type FeatureMiddleware, type Server } from "@parlance/server";
import { createToolRegistry, tool } from "@parlance/tool-registry";
import { expect, test } from "vitest";
import { envelope, openWire } from "./wire.js";

// The exchange that the Telaria documentation shows, as it stands there.

const everything = {
  resources: { listChanged: true },
  prompts: { listChanged: true },
  tools: { listChanged: true },
  logging: {},
  progress: {},
  cancellation: {},
};

function telaria(): Server {
  const listDocs = tool({ name: "list_docs", description: "Lists indexed documents", run: () => "none" });
  return createServer({
    info: { name: "Telaria MCP", version: "1.0.0" },
    features: [createToolRegistry([listDocs])],
  });
}

/** Sends frames one by one and gathers what comes back, until there are as many answers as requests. */
async function exchange(server: Server, frames: readonly object[]): Promise<readonly unknown[]> {
  const [near, far] = memoryPair();
  const serving = await connect(far, server);
  const answers: unknown[] = [];
  const wanted = frames.filter((frame) => "id" in frame).length;
  let enough = (): void => {};
  const done = new Promise<void>((resolve) => {
    enough = resolve;
  });
  const channel = await near({
    frame: (text) => {
      answers.push(JSON.parse(text));
      if (answers.length === wanted) enough();
    },
    lost: (error) => expect.fail(error.message),
    closed: () => {},
  });
  for (const frame of frames) await channel.send(JSON.stringify(frame));
  await done;
  await channel.close();
  await serving.close();
  await server.close();
  return answers;
}

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { clientInfo: { name: "Telaria Client", version: "1.0.0" }, capabilities: everything },
};

test("T-1, T-2, T-3, T-15, T-19, LC-13: an initialize without a version, with capabilities nobody knows, is answered with the newest", async () => {
  expect(await exchange(telaria(), [initialize])).toEqual([
    {
      jsonrpc: "2.0",
      id: 1,
      result: {
        protocolVersion: "2025-11-25",
        serverInfo: { name: "Telaria MCP", version: "1.0.0" },
        capabilities: { tools: { listChanged: true } },
      },
    },
  ]);
});

test("T-2, T-16: initialize, then initialized, then work", async () => {
  const answers = await exchange(telaria(), [
    initialize,
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", id: 2, method: "tools/list", params: {} },
    { jsonrpc: "2.0", id: "3", method: "tools/call", params: { name: "list_docs" } },
  ]);
  expect(answers).toMatchObject([
    { id: 1, result: { protocolVersion: "2025-11-25" } },
    { id: 2, result: { tools: [{ name: "list_docs" }] } },
    { id: "3", result: { content: [{ type: "text", text: "none" }] } },
  ]);
});

const listing = {
  type: "object",
  properties: {
    prefix: { type: "string" },
    limit: { type: "integer", minimum: 1, maximum: 500, default: 200 },
  },
  additionalProperties: false,
};
const reading = {
  type: "object",
  properties: { path: { type: "string" } },
  required: ["path"],
  additionalProperties: false,
};

/** The tools of every stage; only those of the first are shown. */
function library() {
  const tools = createToolRegistry([
    tool({
      name: "list_docs",
      title: "Lister les documents",
      description: "Liste les documents indexés",
      input: jsonSchema<{ prefix?: string; limit: number }>(listing, { defaults }),
      annotations: { readOnlyHint: true },
      run: ({ prefix = "", limit }) => `${limit} under "${prefix}"`,
    }),
    tool({
      name: "read_doc",
      title: "Lire un document",
      description: "Rend le Markdown d’un document",
      input: jsonSchema<{ path: string }>(reading),
      annotations: { readOnlyHint: true },
      run: ({ path }) => `# ${path}`,
    }),
  ]);
  const draft = tool({ name: "draft_readme_basic", description: "Drafts a README", run: () => "# Draft" });
  tools.add(draft, { enabled: false });
  return tools;
}

test("T-4, T-5: staged tools are unknown until their time; titles, bounds and defaults are listed as written", async () => {
  const tools = library();
  const server = createServer({ info: { name: "Telaria MCP", version: "1.0.0" }, features: [tools] });
  const { ask, close } = await openWire(server);
  await ask("initialize", initialize.params);
  expect(await ask("tools/list", {})).toMatchObject({
    result: {
      tools: [
        { name: "list_docs", title: "Lister les documents", inputSchema: listing, annotations: { readOnlyHint: true } },
        { name: "read_doc", title: "Lire un document", inputSchema: reading },
      ],
    },
  });
  const draft = () => ask("tools/call", { name: "draft_readme_basic" });
  expect(await draft()).toMatchObject({ error: { code: -32602 } });
  tools.enable("draft_readme_basic");
  expect(await draft()).toMatchObject({ result: { content: [{ text: "# Draft" }] } });
  await close();
});

test("T-5: arguments are held to the schema, and what is left out gets its default", async () => {
  const server = createServer({ info: { name: "Telaria MCP", version: "1.0.0" }, features: [library()] });
  const { ask, close } = await openWire(server);
  const list = (args?: object) => ask("tools/call", { name: "list_docs", arguments: args, _meta: envelope() });
  expect(await list()).toMatchObject({ result: { content: [{ text: '200 under ""' }] } });
  expect(await list({ limit: 500, prefix: "a/" })).toMatchObject({ result: { content: [{ text: '500 under "a/"' }] } });
  for (const wrong of [{ limit: 0 }, { limit: 501 }, { limit: 1.5 }, { other: true }, { prefix: 1 }]) {
    expect(await list(wrong)).toMatchObject({ result: { isError: true } });
  }
  await close();
});

test("T-6: a path that leaves the project is refused before the tool runs", async () => {
  const guard: FeatureMiddleware = (next) => (call) => {
    const path = String(Object(call.params["arguments"])["path"]);
    return path.split("/").includes("..")
      ? { type: "refused", reason: "invalid_params", message: `"${path}" leaves the project` }
      : next(call);
  };
  const info = { name: "Telaria MCP", version: "1.0.0" };
  const { ask, close } = await openWire(createServer({ info, features: [library()], middleware: [guard] }));
  const read = (path: string) => ask("tools/call", { name: "read_doc", arguments: { path }, _meta: envelope() });
  expect(await read("../secret.md")).toMatchObject({
    error: { code: -32602, message: '"../secret.md" leaves the project' },
  });
  expect(await read("docs/a.md")).toMatchObject({ result: { content: [{ text: "# docs/a.md" }] } });
  await close();
});

test("T-10, T-11, T-12, T-13, T-18: every message is JSON-RPC 2.0, errors are its error objects, versions are dates", async () => {
  const answers = await exchange(telaria(), [
    initialize,
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "none" } },
  ]);
  expect(answers).toEqual([
    expect.objectContaining({ jsonrpc: "2.0", id: 1 }),
    { jsonrpc: "2.0", id: 2, error: { code: -32602, message: expect.any(String) } },
  ]);
  expect(JSON.stringify(answers[0])).toMatch(/"protocolVersion":"\d{4}-\d\d-\d\d"/);
});
