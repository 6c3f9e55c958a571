import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { tools } from "./tools.mjs";

serveStdio(() => {
  const server = new McpServer({ name: "sdk-v2", version: "1.0.0" });
  for (const { name, description, input, run } of tools) {
    server.registerTool(name, { description, inputSchema: input }, run);
  }
  return server;
});
