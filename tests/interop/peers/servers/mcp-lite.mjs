import { InMemorySessionAdapter, McpServer, StreamableHttpTransport } from "mcp-lite";
import * as z from "zod";
import { serveFetch } from "./http.mjs";
import { info, inputs, progress, slow, stats, text } from "./tools.mjs";

const server = new McpServer({ ...info, schemaAdapter: (schema) => z.toJSONSchema(schema) });
const add = (name, inputSchema, handler) => server.tool(name, { description: name, inputSchema, handler });

add("echo", inputs.echo, (args) => text(args.text));
add("slow", inputs.slow, async ({ ms }) => text(await slow(ms)));
add("progress", inputs.progress, async ({ steps }, { progress: report }) =>
  text(await progress(steps, (done, total) => report?.({ progress: done, total }))),
);
server.tool("stats", { description: "stats", handler: () => text(stats()) });

const sessionAdapter = new InMemorySessionAdapter({ maxEventBufferSize: 100 });
serveFetch(new StreamableHttpTransport({ sessionAdapter }).bind(server));
