import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { info, inputs, progress, slow, stats, text } from "./tools.mjs";

const server = new McpServer(info);
const add = (name, inputSchema, run) => server.registerTool(name, { description: name, inputSchema }, run);

add("echo", inputs.echo, (args) => text(args.text));
add("slow", inputs.slow, async ({ ms }, { signal }) => text(await slow(ms, signal)));
add("progress", inputs.progress, async ({ steps }, { _meta, sendNotification }) => {
  const progressToken = _meta?.progressToken;
  const report = async (done, total) => {
    if (progressToken === undefined) return;
    await sendNotification({ method: "notifications/progress", params: { progressToken, progress: done, total } });
  };
  return text(await progress(steps, report));
});
server.registerTool("stats", { description: "stats" }, () => text(stats()));

await server.connect(new StdioServerTransport());
