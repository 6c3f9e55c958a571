import { connect, memoryPair } from "@parlance/jsonrpc";
import { createServer, type Server } from "@parlance/server";
import { createToolRegistry, tool } from "@parlance/tool-registry";
import { expect, test } from "vitest";

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
