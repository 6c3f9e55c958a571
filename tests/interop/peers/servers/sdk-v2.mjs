import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { isHttp, serveFetch } from "./http.mjs";
import { info, inputs, progress, slow, stats, text } from "./tools.mjs";

function create() {
  const server = new McpServer(info);
  const add = (name, inputSchema, run) => server.registerTool(name, { description: name, inputSchema }, run);

  add("echo", inputs.echo, (args) => text(args.text));
  add("slow", inputs.slow, async ({ ms }, { mcpReq }) => text(await slow(ms, mcpReq.signal)));
  add("progress", inputs.progress, async ({ steps }, { mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    const report = async (done, total) => {
      if (progressToken === undefined) return;
      await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress: done, total } });
    };
    return text(await progress(steps, report));
  });
  server.registerTool("stats", { description: "stats" }, () => text(stats()));
  return server;
}

if (isHttp) serveFetch(createMcpHandler(create).fetch);
else serveStdio(create);
