import { ZodJsonSchemaAdapter } from "@tmcp/adapter-zod";
import { StdioTransport } from "@tmcp/transport-stdio";
import { McpServer } from "tmcp";
import { tools } from "./tools.mjs";

const server = new McpServer(
  { name: "tmcp", version: "1.0.0", description: "bench" },
  { adapter: new ZodJsonSchemaAdapter(), capabilities: { tools: { listChanged: true } } },
);
for (const { name, description, input, run } of tools) server.tool({ name, description, schema: input }, run);
new StdioTransport(server).listen();
