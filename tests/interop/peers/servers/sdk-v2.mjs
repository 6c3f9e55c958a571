import { completable, createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";
import { isHttp, serveFetch } from "./http.mjs";
import { greeting, info, inputs, logged, note, people, progress, slow, stats, text } from "./tools.mjs";

function create() {
  const server = new McpServer(info, { capabilities: { logging: {} } });
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
  server.registerTool("log", { description: "log" }, async ({ mcpReq }) => {
    await mcpReq.notify(logged);
    return text("done");
  });
  server.registerTool("stats", { description: "stats" }, () => text(stats()));
  server.registerResource("note", note.uri, {}, () => ({ contents: [note] }));
  const who = completable(z.string(), (typed) => people.filter((name) => name.startsWith(typed)));
  server.registerPrompt("greet", { argsSchema: z.object({ who }) }, (args) => greeting(args.who));
  return server;
}

if (isHttp) serveFetch(createMcpHandler(create).fetch);
else serveStdio(create);
