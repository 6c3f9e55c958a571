import { ZodJsonSchemaAdapter } from "@tmcp/adapter-zod";
import { HttpTransport } from "@tmcp/transport-http";
import { StdioTransport } from "@tmcp/transport-stdio";
import { McpServer } from "tmcp";
import { isHttp, serveFetch } from "./http.mjs";
import { info, inputs, progress, slow, stats, text } from "./tools.mjs";

const options = { adapter: new ZodJsonSchemaAdapter(), capabilities: { tools: { listChanged: true } } };
const server = new McpServer({ ...info, description: "peer" }, options);
const add = (name, schema, run) => server.tool({ name, description: name, schema }, run);

add("echo", inputs.echo, async (args) => text(args.text));
add("slow", inputs.slow, async ({ ms }) => text(await slow(ms, server.ctx.signal)));
add("progress", inputs.progress, async ({ steps }) =>
  text(await progress(steps, async (done, total) => server.progress(done, total))),
);
server.tool({ name: "stats", description: "stats" }, async () => text(stats()));

if (isHttp) {
  const transport = new HttpTransport(server, { path: "/mcp" });
  serveFetch((request) => transport.respond(request));
} else new StdioTransport(server).listen();
