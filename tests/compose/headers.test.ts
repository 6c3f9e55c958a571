import { connectClient, listTools } from "@parlance/client";
import { proxyFeatures } from "@parlance/client/proxy";
import { jsonSchema } from "@parlance/json-schema";
import { createServer } from "@parlance/server";
import { connectInMemory } from "@parlance/testing";
import { createToolRegistry, tool } from "@parlance/tool-registry";
import { anonymous, createHttpHandler, parameterHeaders } from "@parlance/transport-http";
import { http, listen } from "@parlance/transport-http/node";
import { expect, test } from "vitest";

const info = { name: "gateway", version: "1.0.0" };
const region = { type: "string", "x-mcp-header": "Region" };

test("XMH-22: a gateway compares the headers of a call with its arguments, as the tools of its server ask", async () => {
  const input = jsonSchema<{ region: string }>({ type: "object", properties: { region }, required: ["region"] });
  const where = tool({ name: "where", description: "Says where", input, run: (args) => args.region });
  const origin = createServer({ info, features: [createToolRegistry([where], { headers: parameterHeaders })] });
  const remote = await connectInMemory(origin);
  const gateway = createServer({ info, features: [proxyFeatures(remote, { headers: parameterHeaders })] });
  const { url, close } = await listen(createHttpHandler(gateway, { auth: anonymous() }));
  const client = await connectClient({ dial: http(url), info });
  expect((await listTools(client))[0]?.inputSchema).toMatchObject({ properties: { region } });
  expect((await client.callTool("where", { region: "eu" })).content).toMatchObject([{ text: "eu" }]);

  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const params = { name: "where", arguments: { region: "eu" }, _meta };
  const reply = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": "where",
      "mcp-param-region": "us",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  });
  expect([reply.status, (await reply.json()).error.code]).toEqual([400, -32020]);
  await client.close();
  await gateway.close();
  await close();
  await remote.close();
});
