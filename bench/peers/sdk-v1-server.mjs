import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { tools } from "./tools.mjs";

const server = new McpServer({ name: "sdk-v1", version: "1.0.0" });
for (const { name, description, input, run } of tools) {
  server.registerTool(name, { description, inputSchema: input }, run);
}
await server.connect(new StdioServerTransport());
